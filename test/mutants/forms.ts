// Mutants of the forms of pages.
import type { Mutant } from './mutant.ts'

export const FORMS: readonly Mutant[] = [
  {
    guarantee: 'Values that are wrong together are named in the first turn.',
    file: 'src/http/form.ts',
    from: 'Object.entries(schema.check?.(valid) ?? {})',
    to: 'Object.entries(Object.keys(errors).length > 0 ? {} : (schema.check?.(valid) ?? {}))',
    killedBy: 'test/web/ui/define-form.test.ts',
  },
  {
    guarantee: 'The server, not the browser, says what is wrong with a declared form.',
    file: 'src/web/ui/form.tsx',
    from: '={of !== undefined}',
    to: '={false}',
    killedBy: 'test/web/public/booking-errors.test.ts',
  },
  {
    guarantee: 'A refused booking names a wrong phone number and ZIP code with everything else.',
    file: 'src/web/public/booking/forms.ts',
    from: 'isOptional ? undefined : visitErrors',
    to: 'undefined',
    killedBy: 'test/web/public/booking-errors.test.ts',
  },
  {
    guarantee: 'A password reaches the handler as it was typed.',
    file: 'src/http/form.ts',
    from: "if (schema['writeOnly'] === true) return texts[0] || undefined",
    to: '',
    killedBy: 'test/web/ui/define-form.test.ts',
  },
  {
    guarantee: 'A form that is sent is not sent again by a second press.',
    file: 'src/web/ui/assets/scripts/form.ts',
    from: 'if (form.ariaBusy !== null) return event.preventDefault()',
    to: '',
    killedBy: 'test/web/ui/busy-forms.test.ts',
  },
  {
    guarantee: 'A page that the browser kept can send its form again.',
    file: 'src/web/ui/assets/scripts/form.ts',
    from: "addEventListener('pageshow', rest)",
    to: '',
    killedBy: 'test/web/ui/busy-forms.test.ts',
  },
  {
    guarantee: 'A form that is refused as a whole has the focus where it says why.',
    file: 'src/web/ui/form.tsx',
    from: ' tabindex={-1} autofocus>\n      {problem}',
    to: '>\n      {problem}',
    killedBy: 'test/web/my/typing-errors.test.ts',
  },
  {
    guarantee: 'A field without a label is in the form where the page has a text for it.',
    file: 'src/web/ui/define-form.tsx',
    from: "typeof value === 'string' ? <input",
    to: "typeof value === 'number' ? <input",
    killedBy: 'test/web/ui/define-form.test.ts',
  },
  {
    guarantee: 'The values that are right are read of a form with errors, and no others.',
    file: 'src/http/form.ts',
    from: 'filter(([name]) => errors[name] === undefined)',
    to: 'filter(Boolean)',
    killedBy: 'test/web/ui/define-form.test.ts',
  },
  {
    guarantee: 'A wrong code stays in its field.',
    file: 'src/web/my/codes.tsx',
    from: '  values,\n  errors: { code',
    to: '  values: new URLSearchParams(),\n  errors: { code',
    killedBy: 'test/web/my/typing-errors.test.ts',
  },
  {
    guarantee: 'A booking that is sent without its code sends no other code.',
    file: 'src/web/public/booking/code-step.ts',
    from: 'errors: read.errors }, needsCode: false',
    to: 'errors: read.errors }, needsCode: true',
    killedBy: 'test/web/public/booking-code.test.ts',
  },
  {
    guarantee: 'A page of open times says that a day or time does not exist.',
    file: 'src/web/public/slot-choice.ts',
    from: 'refused: isInvalid',
    to: 'refused: !isInvalid && isOutside === undefined',
    killedBy: 'test/features/booking/bookings/rescheduling-bookings.test.ts',
  },
]
