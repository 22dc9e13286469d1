import { passwordHashing } from '../features/accounts/password-hashing.ts'

/** What the accounts of tests have by default. */
export const TEST_PASSWORD = 'correct horse battery'

const { hash, verify } = passwordHashing
const known = hash(TEST_PASSWORD)

// A hash takes a core for a while, and suites make thousands of accounts: that of this password is made once.
Object.assign(passwordHashing, {
  hash: (password: string) => (password === TEST_PASSWORD ? known : hash(password)),
  verify: async (candidate: Parameters<typeof verify>[0]) =>
    (candidate.password === TEST_PASSWORD && candidate.hash === (await known)) || verify(candidate),
} satisfies typeof passwordHashing)
