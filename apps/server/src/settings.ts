import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import {
  CHAIN_RUNS_AT_ONCE,
  MODEL_ALIASES,
  MODEL_CALLS_AT_ONCE,
  MODELS,
  type ModelAlias,
  quotaSettings,
  registerRequest,
} from '@catenary/contracts'
import * as z from 'zod'
import { StartError } from './errors.ts'
import { MODEL_DEFAULTS } from './platform/models/default-models.ts'
import { DEFAULT_LIMITS, type ModelSettings } from './platform/models/model-types.ts'
import { parseAllowedHost } from './platform/outbound/allowed-hosts.ts'

const flag = (fallback: 'on' | 'off') =>
  z
    .enum(['on', 'off'], 'must be on or off')
    .default(fallback)
    .transform((value) => value === 'on')
const atLeastOne = z.coerce.number('must be a number').int().min(1, 'must be at least 1')
const list = z
  .string()
  .optional()
  .transform((value) =>
    (value ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
const url = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must be a URL such as ${example}` })
const httpUrl = url(/^https?$/, 'https://example.org')
const allowedHost = z
  .string()
  .refine(
    (entry) => parseAllowedHost(entry) !== undefined,
    'must be hosts such as wiki.internal or 10.0.0.5:8080',
  )
/** An IP address or a network of them, or one of the names that stand for such. */
const network = z.union([
  z.ipv4(),
  z.ipv6(),
  z.cidrv4(),
  z.cidrv6(),
  z.enum(['loopback', 'linklocal', 'uniquelocal']),
])
/** `on` is one proxy: what stands further left in X-Forwarded-For, anyone can write. */
const trustedProxies = z
  .string()
  .default('off')
  .transform((value) => (value === 'off' ? 0 : value === 'on' ? 1 : value))
  .transform((value) => (/^\d+$/.test(String(value)) ? Number(value) : list.parse(value)))
  .refine(
    (value) =>
      typeof value === 'number' ||
      (value.length > 0 && value.every((entry) => network.safeParse(entry).success)),
    {
      error: 'must be on, off, a number of proxies, or networks such as 10.0.0.0/8',
    },
  )
const hostName = z
  .string()
  .refine(
    (host) => URL.canParse(`http://${host}`) && new URL(`http://${host}`).hostname === host.toLowerCase(),
    {
      error: 'must be names or addresses without a port, such as catenary.example.org or 192.168.1.20',
    },
  )
const mailAddress = z.string().regex(/^([^<>\r\n]+ <[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/, {
  error: 'must be an address such as Catenary <catenary@example.org>',
})
const domain = z
  .string()
  .toLowerCase()
  .regex(/^[^@\s]+$/, 'must be domains such as example.org')
/** An attempt at an answer takes no longer in all. */
const MODEL_SECONDS_MAX = DEFAULT_LIMITS.totalMs / 1000
const modelSeconds = z.coerce
  .number('must be a number of seconds')
  .min(1, 'must be at least 1')
  .max(MODEL_SECONDS_MAX, `must be at most ${MODEL_SECONDS_MAX}`)
/** By default an empty object. */
const json = <Schema extends z.ZodType>(schema: Schema, example: string) =>
  z
    .string()
    .default('{}')
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.addIssue(`must be JSON: ${example}`)
        return z.NEVER
      }
    })
    .pipe(schema)
const pricePerMillion = z.strictObject({
  inputPerMillionUsd: z.number().min(0),
  outputPerMillionUsd: z.number().min(0),
})

/** The settings table of the README (D1), those of the models aside. An empty value counts as absent. */
const environment = z.object({
  PORT: z.coerce.number('must be a port number').int().min(0).max(65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().optional(),
  DATABASE_URL: url(/^postgres(ql)?$/, 'postgres://user:password@host:5432/name').optional(),
  EMBEDDED_FSYNC: flag('on'),
  ROLE: z.enum(['all', 'web', 'worker'], 'must be all, web or worker').default('all'),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  NEW_SECRET_KEY: flag('off'),
  PUBLIC_URL: httpUrl.optional(),
  CORS_ORIGINS: list.pipe(z.array(httpUrl)),
  TRUST_PROXY: trustedProxies,
  ALLOWED_HOSTS: list.pipe(z.array(hostName)),
  ADMIN_USERNAME: registerRequest.shape.username.optional(),
  ADMIN_EMAIL: registerRequest.shape.email.optional(),
  ADMIN_PASSWORD: registerRequest.shape.password.optional(),
  REGISTRATION: z.enum(['open', 'closed'], 'must be open or closed').default('open'),
  MODEL_PRICES: json(
    z.record(z.string(), pricePerMillion),
    '{"model-id": {"inputPerMillionUsd": 1, "outputPerMillionUsd": 2}}',
  ),
  MODEL_FIRST_BYTE_SECONDS: modelSeconds.default(DEFAULT_LIMITS.firstByteMs / 1000),
  MODEL_SILENCE_SECONDS: modelSeconds.default(DEFAULT_LIMITS.silenceMs / 1000),
  SANDBOX_MODEL: z.enum(['auto', 'on', 'off'], 'must be auto, on or off').default('auto'),
  RUNS_PER_MINUTE: atLeastOne.default(60),
  CHAIN_RUNS_AT_ONCE: atLeastOne.default(CHAIN_RUNS_AT_ONCE),
  MODEL_CALLS_AT_ONCE: atLeastOne.default(MODEL_CALLS_AT_ONCE),
  QUOTAS: json(quotaSettings, '{"prompts": 20000, "text": 500000000}'),
  FETCH_ALLOW_HOSTS: list.pipe(z.array(allowedHost)),
  SMTP_URL: url(/^smtps?$/, 'smtp://user:password@mail.example.org:587').optional(),
  MAIL_FROM: mailAddress.optional(),
  MAIL_RECIPIENTS: z.enum(['any', 'confirmed'], 'must be any or confirmed').optional(),
  MAIL_DOMAINS: list.pipe(z.array(domain)),
  MAILS_PER_HOUR: atLeastOne.default(100),
  TOKEN_REVEAL: flag('on'),
  JUDGE_MODEL: z.string().optional(),
  MONTHLY_BUDGET_USD: z.coerce.number('must be a number').min(0, 'must be at least 0').optional(),
  UNPRICED_MODELS: z.enum(['uncounted', 'refused'], 'must be uncounted or refused').default('uncounted'),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_OAUTH_URL: httpUrl.default('https://accounts.google.com/o/oauth2/v2/auth'),
  GOOGLE_TOKEN_URL: httpUrl.default('https://oauth2.googleapis.com/token'),
  GOOGLE_DRIVE_URL: httpUrl.default('https://www.googleapis.com/drive/v3'),
  METRICS: flag('off'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

type Environment = z.infer<typeof environment>

/** Validated once, at start; everything else receives values. */
export type Settings = ReturnType<typeof toSettings>

/** Reads environment, then `.env` of the directory (the working one), then defaults. Throws StartError. */
export function readSettings(env: NodeJS.ProcessEnv = process.env, { directory = '.' } = {}): Settings {
  const dotEnv = path.join(directory, '.env')
  const file = existsSync(dotEnv) ? parseEnv(readFileSync(dotEnv, 'utf8')) : {}
  const present = Object.fromEntries(
    Object.entries({ ...file, ...env }).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = environment.safeParse(present)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new StartError(`${issue?.path[0]?.toString()}: ${issue?.message}`)
  }
  const models: Partial<Record<ModelAlias, ModelSettings>> = {}
  for (const alias of MODEL_ALIASES) models[alias] = readModel({ alias, present })
  return toSettings({ env: parsed.data, models })
}

/** What fits on a badge. */
const MODEL_LABEL_MAX = 40

const modelEnvironment = z.object({
  apiKey: z.string().optional(),
  baseUrl: httpUrl.optional(),
  modelId: z.string().optional(),
  label: z.string().max(MODEL_LABEL_MAX, `must have at most ${MODEL_LABEL_MAX} characters`).optional(),
})

/** The settings of one model, by the names that the table of models gives them; none where it has no address. */
function readModel({ alias, present }: { alias: ModelAlias; present: NodeJS.ProcessEnv }) {
  const names: Record<string, string> = MODELS[alias].settings
  const given = Object.entries(names).filter(([, variable]) => present[variable] !== undefined)
  const parsed = modelEnvironment.safeParse(
    Object.fromEntries(given.map(([name, variable]) => [name, present[variable]])),
  )
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new StartError(`${names[String(issue?.path[0])]}: ${issue?.message}`)
  }
  const { apiKey, baseUrl, modelId, label } = { ...MODEL_DEFAULTS[alias], ...parsed.data }
  if (baseUrl !== undefined && modelId !== undefined) return { apiKey, baseUrl, modelId, label }
  const [first] = given
  const missing = baseUrl === undefined ? names.baseUrl : names.modelId
  if (first !== undefined) throw new StartError(`${first[1]} needs ${missing}`)
  return undefined
}

function toSettings({
  env,
  models,
}: {
  env: Environment
  models: Partial<Record<ModelAlias, ModelSettings>>
}) {
  if (env.ROLE !== 'all' && env.DATABASE_URL === undefined) {
    throw new StartError(`ROLE=${env.ROLE} needs DATABASE_URL: the embedded database serves one process only`)
  }
  if (env.ROLE !== 'all' && env.SECRET_KEY === undefined) {
    throw new StartError(`ROLE=${env.ROLE} needs SECRET_KEY: all processes must share it`)
  }
  const admin = [env.ADMIN_USERNAME, env.ADMIN_EMAIL, env.ADMIN_PASSWORD]
  if (admin.some((value) => value !== undefined) && admin.some((value) => value === undefined)) {
    throw new StartError('ADMIN_USERNAME, ADMIN_EMAIL and ADMIN_PASSWORD go together: set all three or none')
  }
  if ((env.SMTP_URL === undefined) !== (env.MAIL_FROM === undefined)) {
    throw new StartError('SMTP_URL and MAIL_FROM go together: set both or none')
  }
  if ((env.GOOGLE_CLIENT_ID === undefined) !== (env.GOOGLE_CLIENT_SECRET === undefined)) {
    throw new StartError('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together: set both or none')
  }
  const publicHost = env.HOST === '127.0.0.1' || env.HOST === '0.0.0.0' ? 'localhost' : env.HOST
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: path.resolve((env.DATA_DIR ?? './data').replace(/^~(?=$|\/)/, homedir())),
    databaseUrl: env.DATABASE_URL,
    embeddedFsync: env.EMBEDDED_FSYNC,
    role: env.ROLE,
    secretKey: env.SECRET_KEY,
    newSecretKey: env.NEW_SECRET_KEY,
    publicUrl: env.PUBLIC_URL ?? `http://${publicHost}:${env.PORT}`,
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
    logLevel: env.LOG_LEVEL,
  }
}
