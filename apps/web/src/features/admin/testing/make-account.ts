import type { ManagedUser } from '@catenary/contracts'

/** An account as admins see it. */
export const makeAccount = (
  id: number,
  username: string,
  fields: Partial<ManagedUser> = {},
): ManagedUser => ({
  id,
  username,
  email: `${username}@example.org`,
  addressState: null,
  role: 'user',
  disabled: false,
  usage: {
    text: 900_000,
    prompts: 1_204,
    versions: 2_310,
    variables: 11,
    files: 2,
    uploads: 100_000,
    chains: 3,
    steps: 14,
    tags: 7,
    categories: 4,
    suites: 1,
    cases: 9,
    views: 5,
    groups: 1,
    webhooks: 1,
  },
  createdAt: '2026-11-01T08:00:00.000Z',
  lastSeenAt: null,
  ...fields,
})
