import * as z from 'zod'
import { emailAddress, id, idParams, timestamp } from './common.ts'
import { defineApi } from './endpoint.ts'
import { modelAlias } from './installation/models.ts'
import { listQuery } from './lists.ts'
import { notificationFields, notifications } from './settings/notifications.ts'

export const USERNAME_MIN = 3
export const USERNAME_MAX = 30
export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 128
/** Signing in once more ends a session of the same client, or the longest unused. */
export const SESSIONS_MAX = 50

const username = z
  .string()
  .trim()
  .min(USERNAME_MIN, `Username must be at least ${USERNAME_MIN} characters`)
  .max(USERNAME_MAX, `Username must be at most ${USERNAME_MAX} characters`)
  .describe('Unique, ignoring case.')
const password = z
  .string()
  .min(PASSWORD_MIN, `Password must be at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`)
  .describe('Stored only as a hash.')

export const ROLES = ['user', 'admin'] as const
export const role = z.enum(ROLES).describe('admin: may administer the instance.')
export type Role = z.infer<typeof role>

export const user = z.object({
  id,
  username: z.string().describe('Username as entered at registration.'),
  email: z.string().describe('Email address.'),
  role,
})
export type User = z.infer<typeof user>

export const loginRequest = z.strictObject({ username, password })
export type LoginRequest = z.infer<typeof loginRequest>

export const registerRequest = z.strictObject({
  username: username.regex(
    /^[A-Za-z0-9_.-]+$/,
    'Username may contain letters, digits, dots, dashes and underscores',
  ),
  email: emailAddress('Please enter a valid email address').max(254).describe('Unique, ignoring case.'),
  password,
})
export type RegisterRequest = z.infer<typeof registerRequest>

const DIFFERENT_PASSWORDS = "Passwords don't match"

/** The registration form: `confirmPassword` never leaves the browser. */
export const registerForm = registerRequest
  .extend({
    confirmPassword: z.string().min(1, DIFFERENT_PASSWORDS).describe('The same password again.'),
  })
  .refine((form) => form.password === form.confirmPassword, {
    message: DIFFERENT_PASSWORDS,
    path: ['confirmPassword'],
  })
export type RegisterForm = z.infer<typeof registerForm>

const THEMES = ['system', 'light', 'dark'] as const
const theme = z.enum(THEMES).describe('system: the device’s setting.')
export type Theme = z.infer<typeof theme>

/** Names only: offsets such as `+02:00` know no daylight saving. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/
export const timeZone = z
  .string()
  .max(64, 'Unknown time zone')
  .refine(isTimeZone, 'Unknown time zone')
  .describe('IANA name, such as Europe/Berlin.')

function isTimeZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** The state of an account's own address: it gets mail once confirmed by a link (D61). */
export const addressState = z
  .enum(['confirmed', 'waiting', 'refused'])
  .describe(
    'waiting: its link has not been opened; refused: the person at this address said that the account is not theirs.',
  )
export type AddressState = z.infer<typeof addressState>

export const accountSettings = z.object({
  theme,
  timeZone: z.string().nullable().describe('null: the browser’s time zone.'),
  defaultModel: z
    .string()
    .nullable()
    .describe('Alias of the model that screens start with if none is set; null: the default.'),
  notifications: notifications.describe('How each kind of message reaches them.'),
})
export type AccountSettings = z.infer<typeof accountSettings>

export const updateAccountRequest = z.strictObject({
  theme: theme.optional(),
  timeZone: timeZone.nullable().optional(),
  defaultModel: modelAlias
    .nullable()
    .optional()
    .describe('Ignored if the person may not use it or it is not set up.'),
  notifications: notificationFields.optional().describe('What is left out stays as it is.'),
})
export type UpdateAccountRequest = z.infer<typeof updateAccountRequest>

export const changePasswordRequest = z.strictObject({
  currentPassword: z
    .string()
    .min(1, 'Please enter your current password')
    .max(PASSWORD_MAX)
    .describe('The current password.'),
  newPassword: password,
})
export type ChangePasswordRequest = z.infer<typeof changePasswordRequest>

export const changePasswordForm = changePasswordRequest
  .extend({ confirmPassword: z.string().describe('The same password again.') })
  .refine((form) => form.newPassword === form.confirmPassword, {
    message: "Passwords don't match",
    path: ['confirmPassword'],
  })
export type ChangePasswordForm = z.infer<typeof changePasswordForm>

export const accountSession = z.object({
  id,
  current: z.boolean().describe('The session of this call.'),
  ipAddress: z.string().nullable().describe('IP address at sign-in.'),
  userAgent: z.string().nullable().describe('The browser’s User-Agent.'),
  createdAt: timestamp,
  lastUsedAt: timestamp.describe('Accurate to the day: a session in use is renewed once a day.'),
})
export type AccountSession = z.infer<typeof accountSession>

export const foundUser = z.object({
  id,
  username: z.string().describe('Username as entered at registration.'),
})
export type FoundUser = z.infer<typeof foundUser>

export const NAMED_ADMINS_MAX = 2
export const administrators = z.object({
  names: z.array(z.string()).describe('Usernames of those who are here longest.'),
  others: z.int().describe('How many more there are.'),
})
export type Administrators = z.infer<typeof administrators>

const SHORT = 16_384

export const accountsApi = defineApi('accounts', {
  'GET /api/user': {
    who: 'guest',
    summary: 'The signed-in person',
    description: '401 for a guest. Extends the session.',
    reply: user,
    setsCookies: true,
    noStore: true,
  },
  'POST /api/login': {
    who: 'guest',
    summary: 'Sign in',
    description:
      '401 for a wrong name or password, 403 for a disabled account, 429 after ten failures for an account and ' +
      'address or twenty for an address within 15 minutes, 503 if too many people sign in at once. Ends ' +
      `the session sent with the call. Beyond ${SESSIONS_MAX} sessions one ends: one of the same client, or else the one unused for longest.`,
    body: loginRequest,
    reply: user,
    setsCookies: true,
    notReplayed: true,
    noStore: true,
    bodyBytes: SHORT,
    servedWhileDiskFull: true,
    activity: { kind: 'account.signed_in', object: 'account' },
  },
  'POST /api/register': {
    who: 'guest',
    summary: 'Create an account and sign in',
    description:
      'The first account on an instance is admin. 403 when registration is closed, 409 when the username or email address is taken, 429 after twenty accounts from an address within an hour.',
    body: registerRequest,
    created: user,
    setsCookies: true,
    notReplayed: true,
    noStore: true,
    bodyBytes: SHORT,
    activity: { kind: 'account.created', object: 'account' },
  },
  'POST /api/logout': {
    who: 'guest',
    summary: 'Sign out',
    description: 'Ends the session; also succeeds without one.',
    body: z.strictObject({}).nullish(),
    setsCookies: true,
    notReplayed: true,
    noStore: true,
    bodyBytes: SHORT,
    writes: 'unlimited',
    servedWhileDiskFull: true,
    activity: { kind: 'account.signed_out', object: 'account' },
  },
})

export const ownAccountApi = defineApi('accounts', {
  'GET /api/account': {
    who: 'user',
    summary: "The caller's settings",
    reply: accountSettings,
    errors: [401],
  },
  'PATCH /api/account': {
    who: 'user',
    summary: "Change the caller's settings",
    description: 'Fields that are left out do not change.',
    body: updateAccountRequest,
    reply: accountSettings,
    errors: [401],
    activity: { kind: 'account.changed', object: 'account' },
  },
  // No digest of a password is kept.
  'POST /api/account/password': {
    who: 'user',
    summary: 'Change the password',
    description:
      'Ends all other sessions. 400 if the current password is wrong, which counts as a failed sign-in, or the new one is too common.',
    body: changePasswordRequest,
    errors: [409, 429],
    notReplayed: true,
    activity: { kind: 'account.password_changed', object: 'account' },
  },
  'GET /api/account/sessions': {
    who: 'user',
    summary: 'Where the caller is signed in',
    description: 'The session of this call first, then the most recent.',
    query: listQuery,
    list: accountSession,
    errors: [401],
  },
  'DELETE /api/account/sessions': {
    who: 'user',
    summary: 'Sign out everywhere else',
    activity: { kind: 'account.sessions_ended', object: 'account' },
  },
  'DELETE /api/account/sessions/{id}': {
    who: 'user',
    summary: 'Sign out one session',
    description: '404 for a session of someone else.',
    params: idParams,
    activity: { kind: 'account.session_ended', object: 'account' },
  },
})

export const userDirectoryApi = defineApi('accounts', {
  'GET /api/users/search': {
    who: 'user',
    summary: 'Find people by the start of their username',
    description: 'For signed-in people; at most ten, by username.',
    query: z.strictObject({
      name: z.string().trim().min(1).max(50).describe('Start of a username, ignoring case.'),
    }),
    reply: z.array(foundUser),
    errors: [401, 429],
    // More than typing needs, too few to read all names soon.
    perMinute: 60,
  },
  'GET /api/users/administrators': {
    who: 'user',
    summary: 'Whom to ask for what only administrators may do',
    description: `Names at most ${NAMED_ADMINS_MAX} who are active, and never the caller.`,
    reply: administrators,
    errors: [401],
  },
})
