import path from 'node:path'
import { type EnvironmentAlias, MODEL_ALIASES, MODELS } from '@catenary/contracts'
import * as z from 'zod'
import { SettingError } from '../../errors.ts'
import { MODEL_DEFAULTS } from '../models/default-models.ts'
import type { ModelSettings } from '../models/model-types.ts'
import { environment, httpUrl } from './settings-environment.ts'
import { listSettings, type SettingInForce } from './settings-list.ts'
import {
  defaultDataDir,
  explainDataDir,
  listStrangers,
  listUnheard,
  readPlaces,
  toPath,
} from './settings-places.ts'

type Environment = z.infer<typeof environment>

export type Settings = ReturnType<typeof toSettings>

interface ReadOptions {
  directory?: string
  role?: Settings['role'] | undefined
  packed?: boolean | undefined
}

/** Reads the environment, then `.env`, then defaults; a given role comes first. Throws SettingError. */
export function readSettings(
  env: NodeJS.ProcessEnv = process.env,
  { directory = '.', role, packed }: ReadOptions = {},
): Settings {
  const given = role === undefined ? {} : { ROLE: role }
  const { present } = readPlaces({ env: { ...env, ...given }, directory })
  const dataDir = { DATA_DIR: present.DATA_DIR ?? defaultDataDir({ directory, packed }) }
  const parsed = environment.safeParse({ ...present, ...dataDir })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new SettingError(`${issue?.path[0]?.toString()}: ${issue?.message}`)
  }
  const models: Partial<Record<EnvironmentAlias, ModelSettings>> = {}
  for (const alias of MODEL_ALIASES) models[alias] = readModel({ alias, present })
  return toSettings({ env: parsed.data, models })
}

export function takeFlags({ port, host, data }: { port?: string; host?: string; data?: string }): void {
  const given = { PORT: port, HOST: host, DATA_DIR: data }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    process.env[name] = value
    ofCommandLine.add(name)
  }
}

const ofCommandLine = new Set<string>()

export function listRemarks(
  env: NodeJS.ProcessEnv = process.env,
  { directory = '.', packed }: Omit<ReadOptions, 'role'> = {},
): string[] {
  const place = { env, directory }
  const found = explainDataDir({ ...readPlaces(place), directory, packed })
  return [...listUnheard(place), ...(found === undefined ? [] : [found])]
}

export const strangersInFile = (): string[] => listStrangers({ env: process.env })

export const settingsInForce = (): SettingInForce[] =>
  listSettings({ env: process.env }).map((setting) =>
    ofCommandLine.has(setting.name) ? { ...setting, source: 'option' } : setting,
  )

const OF_THE_MACHINE = ['PATH', 'TMPDIR', 'TZ', 'LANG']

/** What a process of its own is told of the machine: none of the settings. */
export const machineEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(OF_THE_MACHINE.map((name) => [name, process.env[name]]))

export const readServerEnvironment = (): Partial<Record<'CATENARY_URL' | 'CATENARY_TOKEN', string>> => {
  const { CATENARY_URL = '', CATENARY_TOKEN = '' } = process.env
  return { CATENARY_URL, CATENARY_TOKEN }
}

/** What fits on a badge. */
const MODEL_LABEL_MAX = 40

const modelEnvironment = z.object({
  apiKey: z.string().optional(),
  baseUrl: httpUrl.optional(),
  modelId: z.string().optional(),
  label: z.string().max(MODEL_LABEL_MAX, `must have at most ${MODEL_LABEL_MAX} characters`).optional(),
})

function readModel({ alias, present }: { alias: EnvironmentAlias; present: NodeJS.ProcessEnv }) {
  const names: Record<string, string> = MODELS[alias].settings
  const given = Object.entries(names).filter(([, variable]) => present[variable] !== undefined)
  const parsed = modelEnvironment.safeParse(
    Object.fromEntries(given.map(([name, variable]) => [name, present[variable]])),
  )
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new SettingError(`${names[String(issue?.path[0])]}: ${issue?.message}`)
  }
  const { apiKey, baseUrl, modelId, label } = { ...MODEL_DEFAULTS[alias], ...parsed.data }
  if (baseUrl !== undefined && modelId !== undefined) return { apiKey, baseUrl, modelId, label }
  const [first] = given
  const missing = baseUrl === undefined ? names.baseUrl : names.modelId
  if (first !== undefined) throw new SettingError(`${first[1]} needs ${missing}`)
  return undefined
}

function requireTogether(env: Environment): void {
  if (env.ROLE !== 'all' && env.DATABASE_URL === undefined) {
    throw new SettingError(
      `ROLE=${env.ROLE} needs DATABASE_URL: the embedded database serves one process only`,
    )
  }
  if (env.ROLE !== 'all' && env.SECRET_KEY === undefined) {
    throw new SettingError(`ROLE=${env.ROLE} needs SECRET_KEY: all processes must share it`)
  }
  if (env.DATABASE_DIRECT_URL !== undefined && env.DATABASE_URL === undefined) {
    throw new SettingError(
      'DATABASE_DIRECT_URL needs DATABASE_URL: it is the same database, without the pooler',
    )
  }
  if (env.BUS_URL !== undefined && env.DATABASE_URL === undefined) {
    throw new SettingError('BUS_URL needs DATABASE_URL: the embedded database serves one process only')
  }
  if (env.SECRET_KEY_ALSO !== undefined && env.SECRET_KEY === undefined) {
    throw new SettingError('SECRET_KEY_ALSO needs SECRET_KEY: without it, the keys in DATA_DIR are used')
  }
  const admin = [env.ADMIN_USERNAME, env.ADMIN_EMAIL, env.ADMIN_PASSWORD]
  if (admin.some((value) => value !== undefined) && admin.some((value) => value === undefined)) {
    throw new SettingError(
      'ADMIN_USERNAME, ADMIN_EMAIL and ADMIN_PASSWORD go together: set all three or none',
    )
  }
  if ((env.SMTP_URL === undefined) !== (env.MAIL_FROM === undefined)) {
    throw new SettingError('SMTP_URL and MAIL_FROM go together: set both or none')
  }
  if ((env.GOOGLE_CLIENT_ID === undefined) !== (env.GOOGLE_CLIENT_SECRET === undefined)) {
    throw new SettingError('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together: set both or none')
  }
}

function toSettings({
  env,
  models,
}: {
  env: Environment
  models: Partial<Record<EnvironmentAlias, ModelSettings>>
}) {
  requireTogether(env)
  const dataDir = toPath(env.DATA_DIR)
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir,
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    databasePool: env.DATABASE_POOL,
    databaseWaitMs: env.DATABASE_WAIT_SECONDS * 1000,
    busUrl: env.BUS_URL,
    embeddedFsync: env.EMBEDDED_FSYNC,
    backups: {
      directory: findBackupDirectory({ env, dataDir }),
      time: env.BACKUP_TIME,
      command: env.BACKUP_COMMAND,
    },
    role: env.ROLE,
    drainSeconds: env.DRAIN_SECONDS,
    secretKey: env.SECRET_KEY,
    secretKeyAlso: env.SECRET_KEY_ALSO,
    newSecretKey: env.NEW_SECRET_KEY,
    publicUrl: env.PUBLIC_URL ?? `http://${hostInUrl(env.HOST)}:${env.PORT}`,
    corsOrigins: env.CORS_ORIGINS.map((origin) => new URL(origin).origin),
    trustProxy: env.TRUST_PROXY,
    allowedHosts: env.ALLOWED_HOSTS,
    admin:
      env.ADMIN_USERNAME !== undefined && env.ADMIN_EMAIL !== undefined && env.ADMIN_PASSWORD !== undefined
        ? { username: env.ADMIN_USERNAME, email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD }
        : undefined,
    registration: env.REGISTRATION,
    models: {
      ...models,
      sandbox: env.SANDBOX_MODEL,
      prices: env.MODEL_PRICES,
      limits: {
        firstByteMs: env.MODEL_FIRST_BYTE_SECONDS * 1000,
        silenceMs: env.MODEL_SILENCE_SECONDS * 1000,
      },
    },
    runsPerMinute: env.RUNS_PER_MINUTE,
    chainRunsAtOnce: env.CHAIN_RUNS_AT_ONCE,
    modelCallsAtOnce: env.MODEL_CALLS_AT_ONCE,
    quotas: env.QUOTAS,
    fetchAllowHosts: env.FETCH_ALLOW_HOSTS,
    toolHosts: env.TOOL_HOSTS,
    syslogUrl: env.SYSLOG_URL,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    mailRecipients: env.MAIL_RECIPIENTS ?? (env.REGISTRATION === 'closed' ? 'any' : 'confirmed'),
    mailDomains: env.MAIL_DOMAINS,
    mailsPerHour: env.MAILS_PER_HOUR,
    tokenReveal: env.TOKEN_REVEAL,
    judgeModel: env.JUDGE_MODEL,
    monthlyBudgetUsd: env.MONTHLY_BUDGET_USD,
    unpricedModels: env.UNPRICED_MODELS,
    google:
      env.GOOGLE_CLIENT_ID !== undefined && env.GOOGLE_CLIENT_SECRET !== undefined
        ? {
            clientId: env.GOOGLE_CLIENT_ID,
            clientSecret: env.GOOGLE_CLIENT_SECRET,
            oauthUrl: env.GOOGLE_OAUTH_URL,
            tokenUrl: env.GOOGLE_TOKEN_URL,
            driveUrl: env.GOOGLE_DRIVE_URL,
          }
        : undefined,
    metrics: env.METRICS,
    traces:
      env.OTLP_ENDPOINT === undefined
        ? undefined
        : { endpoint: env.OTLP_ENDPOINT, headers: env.OTLP_HEADERS },
    logLevel: env.LOG_LEVEL,
  }
}

/** Listening on every address of the machine, or on its own, is `localhost` to whoever sits at it. */
const OWN_ADDRESSES = ['127.0.0.1', '0.0.0.0', '::', '::1']

function hostInUrl(host: string): string {
  if (OWN_ADDRESSES.includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Undefined: nothing is copied by itself. What is beside a PostgreSQL may well not outlive this machine. */
function findBackupDirectory({ env, dataDir }: { env: Environment; dataDir: string }): string | undefined {
  if (env.BACKUP_DIR !== undefined) return toPath(env.BACKUP_DIR)
  return env.DATABASE_URL === undefined ? path.join(dataDir, 'backups') : undefined
}
