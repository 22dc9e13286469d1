import * as z from 'zod'
import { id } from './common.ts'

export const USERNAME_MIN = 3
export const USERNAME_MAX = 30
export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 128

const username = z
  .string()
  .trim()
  .min(USERNAME_MIN, `Username must be at least ${USERNAME_MIN} characters`)
  .max(USERNAME_MAX, `Username must be at most ${USERNAME_MAX} characters`)
const password = z
  .string()
  .min(PASSWORD_MIN, `Password must be at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`)

const role = z.enum(['user', 'admin'])
export type Role = z.infer<typeof role>

export const user = z.object({
  id,
  username: z.string(),
  email: z.string(),
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
  email: z.email('Please enter a valid email address').max(254),
  password,
})
export type RegisterRequest = z.infer<typeof registerRequest>

/** The registration form: `confirmPassword` never leaves the browser. */
export const registerForm = registerRequest
  .extend({ confirmPassword: z.string() })
  .refine((form) => form.password === form.confirmPassword, {
    message: "Passwords don't match",
    path: ['confirmPassword'],
  })
export type RegisterForm = z.infer<typeof registerForm>
