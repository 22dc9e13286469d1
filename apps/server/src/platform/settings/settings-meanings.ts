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
      ...(['MONTHLY_BUDGET_USD', 'UNPRICED_MODELS', 'TOKEN_REVEAL', 'FETCH_ALLOW_HOSTS'] as const),
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
  { title: 'Watching it', names: ['METRICS', 'OTLP_ENDPOINT', 'OTLP_HEADERS', 'LOG_LEVEL'] },
]

export const SETTING_MEANINGS: Record<SettingName, string> = {
  PORT: 'the port where it listens',
  HOST: 'the address where it listens; `0.0.0.0` is every one of the machine',
  PUBLIC_URL:
    'what people type, by default `http://localhost:PORT`; the origin check and secure cookies follow it',
  ALLOWED_HOSTS:
    'names and addresses, comma separated, by which people reach it besides that of `PUBLIC_URL`, `localhost` and the address it listens at',
  TRUST_PROXY:
    '`on` behind one reverse proxy that sets `X-Forwarded-For`; behind more their number, or their networks such as `10.0.0.0/8`. Left `off` behind a proxy, all its visitors share the limits of one address',
  CORS_ORIGINS: 'other origins that may call with credentials, comma separated',
  DATA_DIR:
    'embedded database, generated secret, and copies of it where `BACKUP_DIR` is not set; of the packed command `~/.catenary`, or `./data` where that has data',
  DATABASE_URL:
    'a PostgreSQL URL, of a database in UTF-8; then the embedded database is not used. `sslmode` in it means what PostgreSQL means: without it TLS is used where a server beyond this machine has it, `require` insists, `verify-full` with `sslrootcert` also checks whose it is',
  DATABASE_DIRECT_URL:
    'where `DATABASE_URL` leads to a pooler such as PgBouncer: the address of PostgreSQL itself, for notifications, migrations, backups and moves',
  DATABASE_POOL:
    'how many connections a process has to the PostgreSQL of `DATABASE_URL` at most; it has two more beside them',
  DATABASE_WAIT_SECONDS:
    'how long a start asks a PostgreSQL again that does not answer, is starting up, or has no connection left; `0`: once',
  BUS_URL:
    'a Redis or Valkey, as `redis://user:password@host:6379` or `rediss://…`, that carries the text of runs which people follow in other processes; needs `DATABASE_URL`, which carries it otherwise',
  EMBEDDED_FSYNC: '`off` gives up safety against power cuts for speed on slow disks',
  BACKUP_DIR:
    'where a copy is kept each day and before each upgrade, best on another disk; by default `backups` in `DATA_DIR`, and with `DATABASE_URL` nowhere: then none is made by itself',
  BACKUP_TIME: 'when that copy is made and tried, by the clock of the machine',
  BACKUP_COMMAND:
    'a program that is run with the path of each new copy, to take it elsewhere; where it fails, the copy has failed',
  ROLE: '`all`, `web` or `worker`; the last two need `DATABASE_URL`',
  DRAIN_SECONDS:
    'how long a process that is asked to stop serves on while `/readyz` says so already, for a proxy to lead elsewhere: begin with 5 behind one',
  SECRET_KEY:
    'signs sessions and seals stored secrets; at least 32 characters; by default generated into `DATA_DIR`; required with a `ROLE` other than `all`',
  SECRET_KEY_ALSO:
    'while `SECRET_KEY` is being changed: the other key, which opens what it sealed and seals nothing',
  NEW_SECRET_KEY:
    '`on` makes a new key where the one in `DATA_DIR` is lost, though what it sealed can’t be read any more',
  ADMIN_USERNAME: 'makes this administrator at the start if there is none of that name; all three or none',
  ADMIN_EMAIL: 'that account’s address',
  ADMIN_PASSWORD: 'that account’s password',
  REGISTRATION: '`closed` refuses new accounts',
  ...MODEL_SETTING_MEANINGS,
  SANDBOX_MODEL: 'the model that needs no key: `auto` answers only while no key at all is set; `on`, `off`',
  JUDGE_MODEL:
    'which model chooses for Best Chain: its alias, or its id; by default the first that is set up',
  MODEL_PRICES:
    'JSON, beside a built-in table: `{"model-id": {"inputPerMillionUsd": 3, "outputPerMillionUsd": 15}}`, and `cachedInputPerMillionUsd` where input from a cache costs something else than usual',
  MODEL_FIRST_BYTE_SECONDS: 'how long a model may take until its answer begins',
  MODEL_SILENCE_SECONDS: 'how long a model may take between two pieces of its answer',
  RUNS_PER_MINUTE: 'how many runs a person may start a minute, in all processes together',
  CHAIN_RUNS_AT_ONCE: 'how many runs of chains go on in one process; people share them fairly',
  MODEL_CALLS_AT_ONCE:
    'how many calls of models go on at once; all processes share them, each has an equal part of at least 1, and in it people share fairly',
  QUOTAS:
    'JSON: how much one person may keep or do, where it is not as usual: `{"prompts": 20000, "text": 500000000}`',
  MONTHLY_BUDGET_USD:
    'what the answers of all models may cost in a month, UTC: then nothing is called until the next; a person’s own is `money` in `QUOTAS`, in US cents, or what an administrator sets',
  UNPRICED_MODELS: '`refused`: models without a price are not called',
  TOKEN_REVEAL: '`off`: values of API tokens are never stored, and copying one again answers 410',
  FETCH_ALLOW_HOSTS:
    'each `host[:port]`, comma separated, that API variables may reach although it is private',
  SMTP_URL: 'the mail server, as `smtp://user:password@host:587` or `smtps://…`; together with `MAIL_FROM`',
  MAIL_FROM: 'the address that mails come from',
  MAIL_RECIPIENTS:
    '`any` (the default while registration is closed), or `confirmed`: an address that is not in `MAIL_DOMAINS` is first asked, an account’s own too; administrators’ schedules write to any',
  MAIL_DOMAINS: 'domains, comma separated, whose addresses are not asked',
  MAILS_PER_HOUR: 'how many mails the schedules of one account may send an hour',
  GOOGLE_CLIENT_ID:
    'Google Drive variables: an OAuth client of the kind ‘web application’ whose redirect address is `PUBLIC_URL/api/auth/google/callback`; together with its secret',
  GOOGLE_CLIENT_SECRET: 'that client’s secret',
  GOOGLE_OAUTH_URL: 'another address than Google’s, for tests',
  GOOGLE_TOKEN_URL: 'another address than Google’s, for tests',
  GOOGLE_DRIVE_URL: 'another address than Google’s, for tests',
  METRICS: '`on` serves `/metrics` for Prometheus',
  OTLP_ENDPOINT:
    'where traces of ended runs go, by OTLP/HTTP in JSON, such as `https://cloud.langfuse.com/api/public/otel`; `/v1/traces` is added. They hold no texts',
  OTLP_HEADERS: 'headers of those calls, comma separated, values percent-encoded: `Authorization=Basic%20…`',
  LOG_LEVEL: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
}
