import { CHAIN_RUNS_AT_ONCE, MODEL_CALLS_AT_ONCE, quotaSettings, registerRequest } from '@catenary/contracts'
import * as z from 'zod'
import { DEFAULT_LIMITS } from '../models/model-types.ts'
import { parseAllowedHost } from '../outbound/allowed-hosts.ts'

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
/** With user and password: what belongs to these and was not encoded would be read as something else. */
const serverUrl = (protocol: RegExp, example: string) =>
  z.string().superRefine((text, context) => {
    const isWhole = /^[^#]*$/.test(text) && !/[/?][^@]*@/.test(text.replace(/^\w+:\/\//, ''))
    if (isWhole && z.url({ protocol }).safeParse(text).success) return
    const encoded = isWhole
      ? ''
      : '; in its user and password, write # as %23, / as %2F, ? as %3F and @ as %40'
    context.addIssue(`must be a URL such as ${example}${encoded}`)
  })
export const httpUrl = url(/^https?$/, 'https://example.org')
/** Pages, assets and calls are served at its root, and links are made by writing a path behind it. */
const origin = httpUrl.transform((written, context) => {
  const { origin, pathname, search, hash } = new URL(written)
  if (pathname === '/' && search === '' && hash === '') return origin
  context.addIssue(`must have no path: Catenary is served at the root of its host, as in ${origin}`)
  return z.NEVER
})
const allowedHost = z
  .string()
  .refine(
    (entry) => parseAllowedHost(entry) !== undefined,
    'must be hosts such as wiki.internal or 10.0.0.5:8080',
  )
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
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 03:00')
const domain = z
  .string()
  .toLowerCase()
  .regex(/^[^@\s]+$/, 'must be domains such as example.org')
  // As addresses are kept.
  .transform((host) => URL.parse(`http://${host}`)?.hostname ?? host)
/** An attempt at an answer takes no longer in all. */
const MODEL_SECONDS_MAX = DEFAULT_LIMITS.totalMs / 1000
const modelSeconds = z.coerce
  .number('must be a number of seconds')
  .min(1, 'must be at least 1')
  .max(MODEL_SECONDS_MAX, `must be at most ${MODEL_SECONDS_MAX}`)
const DRAIN_SECONDS_MAX = 300
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
  cachedInputPerMillionUsd: z.number().min(0).optional(),
})

const secretKey = z.string().min(32, 'must have at least 32 characters')
/** As OpenTelemetry writes them: names and percent-encoded values. */
const headerList = z
  .string()
  .default('')
  .transform((text, context) => {
    const headers = new Map<string, string>()
    for (const entry of text.split(',')) {
      if (entry.trim() === '') continue
      const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=(.*)$/.exec(entry) ?? []
      const decoded = decodeHeader(value)
      if (name === undefined || decoded === undefined) {
        context.addIssue('must be headers such as Authorization=Basic abc,X-Scope=team')
        return z.NEVER
      }
      headers.set(name.toLowerCase(), decoded)
    }
    return Object.fromEntries(headers)
  })

function decodeHeader(value: string | undefined): string | undefined {
  try {
    const decoded = decodeURIComponent(value ?? '').trim()
    return /^[\t\x20-\x7e]+$/.test(decoded) ? decoded : undefined
  } catch {
    return undefined
  }
}

/** A folder that the program writes to: what confines it, a service’s unit or a container, has to let it. */
const place = z.string()

/** The settings table of the guide (D1), those of the models aside. An empty value counts as absent. */
export const environment = z.object({
  PORT: z.coerce.number('must be a port number').int().min(0).max(65_535).default(3000),
  /** Brackets belong to URLs; the system wants the address alone. */
  HOST: z
    .string()
    .default('127.0.0.1')
    .transform((host) => host.replace(/^\[(.*)\]$/, '$1')),
  DATA_DIR: place,
  DATABASE_URL: serverUrl(/^postgres(ql)?$/, 'postgres://user:password@host:5432/name').optional(),
  DATABASE_DIRECT_URL: serverUrl(/^postgres(ql)?$/, 'postgres://user:password@host:5432/name').optional(),
  DATABASE_POOL: atLeastOne.default(10),
  DATABASE_WAIT_SECONDS: z.coerce.number('must be a number').int().min(0, 'must be at least 0').default(300),
  BUS_URL: serverUrl(/^rediss?$/, 'redis://user:password@host:6379').optional(),
  EMBEDDED_FSYNC: flag('on'),
  BACKUP_DIR: place.optional(),
  BACKUP_TIME: clock.default('03:00'),
  BACKUP_COMMAND: z.string().optional(),
  ROLE: z.enum(['all', 'web', 'worker'], 'must be all, web or worker').default('all'),
  DRAIN_SECONDS: z.coerce
    .number('must be a number')
    .int()
    .min(0, 'must be at least 0')
    .max(DRAIN_SECONDS_MAX, `must be at most ${DRAIN_SECONDS_MAX}`)
    .default(0),
  SECRET_KEY: secretKey.optional(),
  SECRET_KEY_ALSO: secretKey.optional(),
  NEW_SECRET_KEY: flag('off'),
  PUBLIC_URL: origin.optional(),
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
  TOOL_HOSTS: list.transform((hosts) => (hosts.join() === 'public' ? [] : hosts)).pipe(z.array(allowedHost)),
  SMTP_URL: serverUrl(/^smtps?$/, 'smtp://user:password@mail.example.org:587').optional(),
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
  OTLP_ENDPOINT: httpUrl.optional(),
  OTLP_HEADERS: headerList,
  SYSLOG_URL: serverUrl(/^tls$/, 'tls://logs.example.org:6514').optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

export const PLACE_SETTINGS = ['DATA_DIR', 'BACKUP_DIR'] as const satisfies (keyof typeof environment.shape)[]
