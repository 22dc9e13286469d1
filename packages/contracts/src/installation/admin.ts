import * as z from 'zod'
import { id, idParams, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { listQuery } from '../lists.ts'
import { addressState, role } from '../users.ts'
import { quotaCounts } from './quotas.ts'

export const debugSettings = z.object({
  debugMode: z.boolean().describe('All processes log at level debug.'),
})

export const managedUser = z.object({
  id,
  username: z.string().describe('Username as entered at registration.'),
  email: z.string().describe('Email address.'),
  addressState: addressState.nullable().describe('null: no confirmation is needed here.'),
  role,
  disabled: z.boolean().describe("Can't sign in."),
  createdAt: timestamp,
  usage: quotaCounts.describe('What they have stored.'),
  lastSeenAt: timestamp.nullable().describe('Accurate to the day; null: not signed in anywhere.'),
})
export type ManagedUser = z.infer<typeof managedUser>

const updateUserRequest = z
  .strictObject({
    role: role.optional(),
    disabled: z.boolean().optional().describe('true: also ends the account’s sessions.'),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'Nothing to change')
export type UpdateUserRequest = z.infer<typeof updateUserRequest>

export const systemCheck = z.object({
  name: z.string().describe('Name to use in GET /api/admin/checks/{name}.'),
  title: z.string().describe('Title shown on the page.'),
})
export type SystemCheck = z.infer<typeof systemCheck>

export const systemCheckResult = z.object({
  name: z.string().describe('Name from GET /api/admin/checks.'),
  status: z.enum(['ok', 'failed', 'off']).describe('`off`: not set up, so there is nothing to check.'),
  message: z.string().describe('One sentence on what was found.'),
  ms: z.number().describe('How long it took.'),
})
export type SystemCheckResult = z.infer<typeof systemCheckResult>

export const adminApi = defineApi('admin', {
  'GET /api/admin/debug-mode': {
    who: 'admin',
    summary: 'Whether debug mode is on',
    reply: debugSettings,
    errors: [401, 403],
  },
  'POST /api/admin/debug-mode': {
    who: 'admin',
    summary: 'Turn debug mode on or off',
    description:
      'While it is on, the server logs at level debug: the answering process at once, all others within 30 seconds.',
    body: z.strictObject({ enabled: z.boolean().describe('State to set.') }),
    reply: debugSettings,
    errors: [401, 403],
    activity: { kind: 'instance.debug_mode_set', object: 'instance' },
  },
  'GET /api/admin/checks': {
    who: 'admin',
    summary: 'Checks of the test dashboard',
    reply: z.array(systemCheck),
    errors: [401, 403],
  },
  // It calls models and writes.
  'GET /api/admin/checks/{name}': {
    who: 'admin',
    summary: 'Run one check',
    params: z.strictObject({ name: z.string() }),
    reply: systemCheckResult,
    errors: [401, 403],
    crossSiteCheck: true,
  },
})

export const userManagementApi = defineApi('admin', {
  'GET /api/admin/users': {
    who: 'admin',
    summary: 'All accounts, oldest first',
    query: listQuery,
    list: managedUser,
    errors: [401, 403],
  },
  'PATCH /api/admin/users/{id}': {
    who: 'admin',
    summary: 'Set a role, disable or enable an account',
    description:
      'Disabling ends all sessions of the account at once. 409 for the last active admin, and for disabling oneself.',
    params: idParams,
    body: updateUserRequest,
    reply: managedUser,
    errors: [409],
    activity: { kind: ['account.role_changed', 'account.disabled', 'account.enabled'], object: 'account' },
  },
})
