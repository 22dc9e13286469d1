import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { type RegisterRequest, registerRequest } from '@catenary/contracts'
import type * as z from 'zod'
import { StartError } from '../errors.ts'
import { createAdmin, resetPassword } from '../features/accounts/accounts.ts'
import { withMigratedDatabase } from '../keeping/upgrade/with-database.ts'
import { OPERATOR } from '../platform/context.ts'

export interface PasswordOption {
  /** The password is the first line of stdin; otherwise one is generated and printed. */
  passwordStdin?: boolean
}

export async function createAdminAccount({
  passwordStdin,
  ...named
}: Pick<RegisterRequest, 'username' | 'email'> & PasswordOption): Promise<string> {
  const { password, said } = await readPassword({ passwordStdin })
  const account = check(registerRequest, { ...named, password })
  await withMigratedDatabase(({ db }) => createAdmin({ db, actor: OPERATOR }, account))
  return `${account.username} is now an administrator.${said}`
}

export async function resetAccountPassword({
  account,
  passwordStdin,
}: { account: string } & PasswordOption): Promise<string> {
  const { password: given, said } = await readPassword({ passwordStdin })
  const { password } = check(registerRequest.pick({ password: true }), { password: given })
  const { username } = await withMigratedDatabase(({ db }) => resetPassword({ db }, { account, password }))
  return `${username} has a new password, and is signed out everywhere.${said}`
}

const MADE_UP_BYTES = 15

async function readPassword({ passwordStdin = false }: PasswordOption) {
  if (passwordStdin) {
    const [password = ''] = (await text(process.stdin)).split(/\r?\n/)
    return { password, said: '' }
  }
  const password = randomBytes(MADE_UP_BYTES).toString('base64url')
  return { password, said: `\nPassword: ${password}\nChange it after signing in.` }
}

function check<Shape extends z.ZodType>(schema: Shape, value: unknown): z.infer<Shape> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new StartError(parsed.error.issues.map(({ message }) => message).join('. '))
}
