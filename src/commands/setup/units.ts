// The units of systemd, the site of Caddy and the files of pgBackRest that `hearth setup` writes.
import type { Cluster } from './database.ts'
import { HOME, type Program, USER } from './machine.ts'
import type { PlannedFile } from './saved-files.ts'

export const ENVIRONMENT_FILE = '/etc/hearth/hearth.env'
/** The ports of the server, and of the second one of an upgrade. */
export const PORTS = [3000, 3001] as const

/** Restarts for ever: what ends is started again, as Kubernetes does. */
const SERVICE = `User=${USER}
EnvironmentFile=${ENVIRONMENT_FILE}
StateDirectory=hearth
StateDirectoryMode=0750
Restart=always
RestartSec=1
# A server drains for up to ten seconds, the workers for eleven.
TimeoutStopSec=20
# The supervisor stops its own processes.
KillMode=mixed
LimitNOFILE=65536
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
RestrictSUIDSGID=yes
LockPersonality=yes
`

const AFTER = `Wants=network-online.target
After=network-online.target postgresql.service redis-server.service
StartLimitIntervalSec=0`

/** One server on the port that is its name. It and the workers log to journald. */
const serverUnit = ({ bun, cli }: Program) => `[Unit]
Description=Hearth server on port %i
${AFTER}

[Service]
Environment=HOST=127.0.0.1 PORT=%i
ExecStart=${bun} ${cli} serve
SyslogIdentifier=hearth-server
${SERVICE}
[Install]
WantedBy=multi-user.target
`

const workersUnit = ({ bun, cli }: Program) => `[Unit]
Description=Hearth workers
${AFTER}

[Service]
ExecStart=${bun} ${cli} work --together
SyslogIdentifier=hearth-workers
${SERVICE}
[Install]
WantedBy=multi-user.target
`

const BACKUP_UNIT = `[Unit]
Description=Backup of Hearth's PostgreSQL
After=postgresql.service

[Service]
Type=oneshot
User=postgres
ExecStart=/usr/bin/pgbackrest --stanza=hearth backup
SyslogIdentifier=hearth-backup
`

const BACKUP_TIMER = `[Unit]
Description=Nightly backup of Hearth's PostgreSQL

[Timer]
OnCalendar=*-*-* 03:15:00
RandomizedDelaySec=15min
Persistent=true

[Install]
WantedBy=timers.target
`

/** The servers listen on loopback. Of two, Caddy uses the first that is ready. */
const caddySite = (domain: string) => `# ${domain}: Caddy gets and renews the certificate, and leads http to https.
${domain} {
	reverse_proxy ${PORTS.map((port) => `127.0.0.1:${port}`).join(' ')} {
		lb_policy first
		lb_try_duration 5s
		health_uri /readyz
		health_interval 2s
	}
}
`

/** The same as ops/backup/pgbackrest.conf, for this cluster. */
const backupSettings = ({ data }: Cluster) => `\
# /etc/pgbackrest.conf of the machine that runs PostgreSQL. An object store instead of a folder: repo1-type=s3, gcs or azure.
[global]
repo1-path=/var/lib/pgbackrest
repo1-retention-full=2
start-fast=y
log-level-console=info

[hearth]
pg1-path=${data}
`

/** The same as ops/backup/postgresql.conf. */
const archiveSettings = ({ major, name }: Cluster) => `\
# Copy to /etc/postgresql/${major}/${name}/conf.d/ and restart PostgreSQL: it then archives its log of changes as it writes it.
wal_level = replica
archive_mode = on
archive_command = 'pgbackrest --stanza=hearth archive-push %p'
# The most that the loss of the whole machine costs.
archive_timeout = 60s
`

/**
 * Runs commands as the user that may use the database, with the settings of the servers; `hearth setup` as root. It reads the
 * file as systemd does: a value is no text for the shell.
 */
const launcher = ({ bun, cli }: Program) => `#!/bin/sh
# Runs a command of Hearth with the settings of ${ENVIRONMENT_FILE}, as the user ${USER}: only setup needs root.
[ "$1" = setup ] && exec ${bun} ${cli} "$@"
if ! [ -r ${ENVIRONMENT_FILE} ]; then
  echo 'hearth: ${ENVIRONMENT_FILE} cannot be read: run this as root, after \`hearth setup\`.' >&2
  exit 1
fi
while IFS= read -r line; do
  case $line in
    [A-Z]*=\\"*\\") value=\${line#*=\\"} value=\${value%\\"} ;;
    [A-Z]*=*) value=\${line#*=} ;;
    *) continue ;;
  esac
  export "\${line%%=*}=$value"
done < ${ENVIRONMENT_FILE}
export HOME=${HOME}
exec setpriv --reuid=${USER} --regid=${USER} --init-groups -- ${bun} ${cli} "$@"
`

const file = (path: string, text: string, mode = 0o644): PlannedFile => ({ path, text, mode })

/** The files of servers and workers. */
export const serviceFiles = (program: Program, domain: string): PlannedFile[] => [
  file('/etc/systemd/system/hearth-server@.service', serverUnit(program)),
  file('/etc/systemd/system/hearth-workers.service', workersUnit(program)),
  file('/usr/local/bin/hearth', launcher(program), 0o755),
  file('/etc/caddy/Caddyfile', caddySite(domain)),
]

/** The files of the backup. The last one needs a restart of PostgreSQL. */
export const backupFiles = (cluster: Cluster): PlannedFile[] => [
  file('/etc/systemd/system/hearth-backup.service', BACKUP_UNIT),
  file('/etc/systemd/system/hearth-backup.timer', BACKUP_TIMER),
  file('/etc/pgbackrest.conf', backupSettings(cluster)),
  file(`/etc/postgresql/${cluster.major}/${cluster.name}/conf.d/hearth.conf`, archiveSettings(cluster)),
]
