// A program that dies of an uncaught error with personal data in it. The argument selects a rejection or an exception.
import { logCrashes, openLog } from '../../src/platform/telemetry/log.ts'

logCrashes(openLog('info'))
const fault = Object.assign(new Error('duplicate key value for booked.by@example.com'), {
  name: 'PostgresError',
  code: '23505',
  detail: 'Key (email)=(booked.by@example.com) already exists.',
})
if (process.argv[2] === 'rejection') void Promise.reject(fault)
else
  setTimeout(() => {
    throw fault
  })
setInterval(() => undefined, 1000)
