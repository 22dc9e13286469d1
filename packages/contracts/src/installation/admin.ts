import * as z from 'zod'
import { id, timestamp } from '../common.ts'
import { addressState, role } from '../users.ts'
import { quotaCounts } from './quotas.ts'

/** GET /api/admin/debug-mode */
export const debugSettings = z.object({
  debugMode: z.boolean().describe('All processes log at level debug.'),
})

/** POST /api/admin/debug-mode */
export const setDebugModeRequest = z.strictObject({ enabled: z.boolean().describe('The wanted state.') })

/** An account as admins see it. */
export const managedUser = z.object({
  id,
  username: z.string().describe('Username as entered at registration.'),
  email: z.string().describe('E-mail address.'),
  addressState: addressState.nullable().describe('null: it needs no confirmation here.'),
  role,
  disabled: z.boolean().describe("Can't sign in."),
  createdAt: timestamp,
  usage: quotaCounts.describe('What they have stored.'),
  lastSeenAt: timestamp.nullable().describe('Accurate to the day; null: signed in nowhere.'),
})
export type ManagedUser = z.infer<typeof managedUser>

/** PATCH /api/admin/users/{id} */
export const updateUserRequest = z
  .strictObject({
    role: role.optional(),
    disabled: z.boolean().optional().describe('true: also ends the account’s sessions.'),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'Nothing to change')
export type UpdateUserRequest = z.infer<typeof updateUserRequest>

/** GET /api/admin/checks */
export const systemCheck = z.object({
  name: z.string().describe('Name to use in GET /api/admin/checks/{name}.'),
  title: z.string().describe('Title shown on the page.'),
})
export type SystemCheck = z.infer<typeof systemCheck>

/** GET /api/admin/checks/{name} */
export const systemCheckResult = z.object({
  name: z.string().describe('Name from GET /api/admin/checks.'),
  status: z.enum(['ok', 'failed', 'off']).describe('`off`: not set up, so there is nothing to check.'),
  message: z.string().describe('One sentence on what was found.'),
  ms: z.number().describe('How long it took.'),
})
export type SystemCheckResult = z.infer<typeof systemCheckResult>
