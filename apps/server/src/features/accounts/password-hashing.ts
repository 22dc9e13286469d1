import { hash, verify } from '@node-rs/argon2'

/** Argon2id, which is the library's default algorithm, at OWASP's cost: 19 MiB, two passes, one thread. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Each call keeps a core busy for a while: callers wait for a permit first. */
export const passwordHashing = {
  hash: (password: string): Promise<string> => hash(password, COST),
  verify: (candidate: { hash: string; password: string }): Promise<boolean> =>
    verify(candidate.hash, candidate.password),
}
