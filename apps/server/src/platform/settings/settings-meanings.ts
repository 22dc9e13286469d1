import { MODEL_SETTING_MEANINGS, type ModelSettingName } from '../models/default-models.ts'
import type { environment } from './settings-environment.ts'

export type SettingName = keyof typeof environment.shape | ModelSettingName

export const SETTING_GROUPS: readonly { title: string; names: readonly SettingName[] }[] = [
  {
    title: 'Where it listens',
    names: ['PORT', 'HOST', 'PUBLIC_URL', 'ALLOWED_HOSTS', 'TRUST_PROXY', 'CORS_ORIGINS'],
  },
  {
    title: 'Data and processes',
    names: [
      ...(['DATA_DIR', 'DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_POOL'] as const),
      'DATABASE_WAIT_SECONDS',
      ...(['BUS_URL', 'EMBEDDED_FSYNC', 'ROLE', 'DRAIN_SECONDS'] as const),
      ...(['SECRET_KEY', 'SECRET_KEY_ALSO', 'NEW_SECRET_KEY'] as const),
    ],
  },
  { title: 'Backups', names: ['BACKUP_DIR', 'BACKUP_TIME', 'BACKUP_COMMAND'] },
  {
    title: 'Accounts',
    names: ['ADMIN_USERNAME', 'ADMIN_EMAIL', 'ADMIN_PASSWORD', 'REGISTRATION'],
  },
  {
    title: 'Models',
    names: [
      ...(Object.keys(MODEL_SETTING_MEANINGS) as ModelSettingName[]),
      ...(['SANDBOX_MODEL', 'JUDGE_MODEL', 'MODEL_PRICES'] as const),
      ...(['MODEL_FIRST_BYTE_SECONDS', 'MODEL_SILENCE_SECONDS'] as const),
    ],
  },
  {
    title: 'Limits and budgets',
    names: [
      ...(['RUNS_PER_MINUTE', 'CHAIN_RUNS_AT_ONCE', 'MODEL_CALLS_AT_ONCE', 'QUOTAS'] as const),
      ...([
        'MONTHLY_BUDGET_USD',
        'UNPRICED_MODELS',
        'TOKEN_REVEAL',
        'FETCH_ALLOW_HOSTS',
        'TOOL_HOSTS',
      ] as const),
    ],
  },
  {
    title: 'Mail',
    names: ['SMTP_URL', 'MAIL_FROM', 'MAIL_RECIPIENTS', 'MAIL_DOMAINS', 'MAILS_PER_HOUR'],
  },
  {
    title: 'Google Drive',
    names: [
      ...(['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] as const),
      ...(['GOOGLE_OAUTH_URL', 'GOOGLE_TOKEN_URL', 'GOOGLE_DRIVE_URL'] as const),
    ],
  },
  { title: 'Watching it', names: ['METRICS', 'OTLP_ENDPOINT', 'OTLP_HEADERS', 'SYSLOG_URL', 'LOG_LEVEL'] },
]

export const SETTING_MEANINGS: Record<SettingName, string> = {
  PORT: 'the port to listen on',
  HOST: 'the address to listen on; `0.0.0.0` means all addresses of the machine',
  PUBLIC_URL:
    'the address that people type, by default `http://localhost:PORT`; used for the origin check and secure cookies',
  ALLOWED_HOSTS:
    'other names and addresses by which people reach it, comma separated, besides `PUBLIC_URL`, `localhost` and the address it listens on',
  TRUST_PROXY:
    '`on` behind one reverse proxy that sets `X-Forwarded-For`; behind several, their number or their networks, such as `10.0.0.0/8`. If it is `off` behind a proxy, all visitors share the limits of one address',
  CORS_ORIGINS: 'other origins that may call with credentials, comma separated',
  DATA_DIR:
    'folder for the embedded database, the generated key and, unless `BACKUP_DIR` is set, backups; for the packed command `~/.catenary`, or `./data` if that has data',
  DATABASE_URL:
    'URL of a PostgreSQL database in UTF-8, used instead of the embedded one. `sslmode` has PostgreSQL’s meaning: without it TLS is used if a server on another machine has it; `require` insists on TLS; `verify-full` with `sslrootcert` also checks the server’s identity',
  DATABASE_DIRECT_URL:
    'if `DATABASE_URL` is a pooler such as PgBouncer: the address of PostgreSQL itself, for notifications, migrations, backups and moves',
  DATABASE_POOL: 'maximum number of connections per process to PostgreSQL, plus two more',
  DATABASE_WAIT_SECONDS:
    'how long a start keeps trying to reach a PostgreSQL that does not answer, is starting up or has no connections left; `0` tries once',
  BUS_URL:
    'a Redis or Valkey, as `redis://user:password@host:6379` or `rediss://…`, that carries the text of runs watched through other processes; needs `DATABASE_URL`, which carries it otherwise',
  EMBEDDED_FSYNC: '`off` gives up safety against power cuts for speed on slow disks',
  BACKUP_DIR:
    'folder for the backups made each day and before each upgrade, preferably on another disk; by default `backups` in `DATA_DIR`. With `DATABASE_URL` there is no default, and no automatic backups are made without it',
  BACKUP_TIME: 'when the daily backup is made and tested, by the machine’s clock',
  BACKUP_COMMAND:
    'a program that is run with the path of each new backup, to copy it elsewhere; if it fails, the backup has failed',
  ROLE: '`all`, `web` or `worker`; the last two need `DATABASE_URL`',
  DRAIN_SECONDS:
    'how long a process that is asked to stop keeps serving while `/readyz` already says so, so that a proxy can switch over; try 5 behind a proxy',
  SECRET_KEY:
    'signs sessions and encrypts stored secrets; at least 32 characters; by default generated in `DATA_DIR`; required with a `ROLE` other than `all`',
  SECRET_KEY_ALSO: 'while `SECRET_KEY` is being changed: the other key, used only to read what it encrypted',
  NEW_SECRET_KEY:
    '`on` creates a new key if the one in `DATA_DIR` is lost; what the old key encrypted can no longer be read',
  ADMIN_USERNAME: 'creates this administrator at the start if no account has the name; set all three or none',
  ADMIN_EMAIL: 'that account’s address',
  ADMIN_PASSWORD: 'that account’s password',
  REGISTRATION: '`closed` refuses new accounts',
  ...MODEL_SETTING_MEANINGS,
  SANDBOX_MODEL: 'the built-in model that needs no key: `auto` answers only while no key is set; `on`, `off`',
  JUDGE_MODEL:
    'the model that chooses for Best Chain, by its alias or id; by default the first one that is set up',
  MODEL_PRICES:
    'JSON that adds to a built-in table: `{"model-id": {"inputPerMillionUsd": 3, "outputPerMillionUsd": 15}}`, with `cachedInputPerMillionUsd` if cached input has an unusual price',
  MODEL_FIRST_BYTE_SECONDS: 'how long a model may take until its answer begins',
  MODEL_SILENCE_SECONDS: 'how long a model may take between two pieces of its answer',
  RUNS_PER_MINUTE: 'how many runs a person may start per minute, across all processes',
  CHAIN_RUNS_AT_ONCE: 'how many chain runs one process works on at once; people share them fairly',
  MODEL_CALLS_AT_ONCE:
    'how many model calls run at once; processes share them equally, at least 1 each, and people share each process’s part fairly',
  QUOTAS: 'JSON: limits per person that differ from the defaults: `{"prompts": 20000, "text": 500000000}`',
  MONTHLY_BUDGET_USD:
    'what all models together may cost in a month (UTC); once it is spent, no model is called until the next. A person’s own limit is `money` in `QUOTAS`, in US cents, or what an administrator sets',
  UNPRICED_MODELS: '`refused`: models without a price are not called',
  TOKEN_REVEAL: '`off`: values of API tokens are never stored, so they can’t be copied again (410)',
  TOOL_HOSTS:
    'which services steps of chains may call: by default, or as `public`, every public address by HTTPS; otherwise only these, as `host[:port]`, comma separated, which may be private and without TLS',
  FETCH_ALLOW_HOSTS: 'private hosts that API variables may reach, as `host[:port]`, comma separated',
  SMTP_URL: 'the mail server, as `smtp://user:password@host:587` or `smtps://…`; set `MAIL_FROM` too',
  MAIL_FROM: 'the sender’s address of emails',
  MAIL_RECIPIENTS:
    '`any` (the default while registration is closed), or `confirmed`: an address outside `MAIL_DOMAINS`, even an account’s own, must confirm first. Administrators’ schedules can email anyone',
  MAIL_DOMAINS: 'domains whose addresses need not confirm, comma separated',
  MAILS_PER_HOUR: 'how many emails one account’s schedules may send per hour',
  GOOGLE_CLIENT_ID:
    'for Google Drive variables: an OAuth client of type ‘web application’ with the redirect address `PUBLIC_URL/api/auth/google/callback`; set its secret too',
  GOOGLE_CLIENT_SECRET: 'that client’s secret',
  GOOGLE_OAUTH_URL: 'a different address from Google’s, for tests',
  GOOGLE_TOKEN_URL: 'a different address from Google’s, for tests',
  GOOGLE_DRIVE_URL: 'a different address from Google’s, for tests',
  METRICS: '`on` serves `/metrics` for Prometheus',
  OTLP_ENDPOINT:
    'where to send traces of finished runs, by OTLP/HTTP in JSON, such as `https://cloud.langfuse.com/api/public/otel`; `/v1/traces` is added. They contain no texts',
  OTLP_HEADERS: 'headers for those calls, comma separated, values percent-encoded: `Authorization=Basic%20…`',
  SYSLOG_URL: 'where to send the activity, as `tls://logs.example.org:6514`: syslog over TLS (RFC 5424)',
  LOG_LEVEL: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
}
