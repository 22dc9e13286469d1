import * as z from 'zod'
import { emailAddress, id, timestamp } from './common.ts'

export const USERNAME_MIN = 3
export const USERNAME_MAX = 30
export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 128
/** Places where a person is signed in at once; one more ends another, of the same client or the longest unused. */
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
  email: z.string().describe('E-mail address.'),
  role,
})
export type User = z.infer<typeof user>

/** POST /api/login */
export const loginRequest = z.strictObject({ username, password })
export type LoginRequest = z.infer<typeof loginRequest>

/** POST /api/register */
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
    confirmPassword: z.string().min(1, DIFFERENT_PASSWORDS).describe('The password again.'),
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
  .describe('waiting: for its link to be opened; refused: its reader said that the account is not theirs.')
export type AddressState = z.infer<typeof addressState>

/** GET /api/account: what a person sets for themselves. */
export const accountSettings = z.object({
  theme,
  timeZone: z.string().nullable().describe('null: the browser’s time zone.'),
})
export type AccountSettings = z.infer<typeof accountSettings>

/** PATCH /api/account */
export const updateAccountRequest = z.strictObject({
  theme: theme.optional(),
  timeZone: timeZone.nullable().optional(),
})
export type UpdateAccountRequest = z.infer<typeof updateAccountRequest>

/** POST /api/account/password */
export const changePasswordRequest = z.strictObject({
  currentPassword: z
    .string()
    .min(1, 'Please enter your current password')
    .max(PASSWORD_MAX)
    .describe('The current password.'),
  newPassword: password,
})
export type ChangePasswordRequest = z.infer<typeof changePasswordRequest>

/** The form: `confirmPassword` never leaves the browser. */
export const changePasswordForm = changePasswordRequest
  .extend({ confirmPassword: z.string().describe('The password again.') })
  .refine((form) => form.newPassword === form.confirmPassword, {
    message: "Passwords don't match",
    path: ['confirmPassword'],
  })
export type ChangePasswordForm = z.infer<typeof changePasswordForm>

/** A place where the person is signed in. */
export const accountSession = z.object({
  id,
  current: z.boolean().describe('The session of this call.'),
  ipAddress: z.string().nullable().describe('IP address at sign-in.'),
  userAgent: z.string().nullable().describe('The browser’s User-Agent.'),
  createdAt: timestamp,
  lastUsedAt: timestamp.describe('Accurate to the day: a session in use is renewed once a day.'),
})
export type AccountSession = z.infer<typeof accountSession>

/** GET /api/users/search?name=: the start of a username, for the user picker; signed-in people only. */
export const searchUsersQuery = z.strictObject({
  name: z.string().trim().min(1).max(50).describe('Start of a username, ignoring case.'),
})
export const foundUser = z.object({
  id,
  username: z.string().describe('Username as entered at registration.'),
})
export type FoundUser = z.infer<typeof foundUser>
