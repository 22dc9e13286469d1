import { AppError } from '../../errors.ts'
import type { SqlContext } from '../../platform/context.ts'
import {
  findOptionalVersionOfChain,
  findOptionalVersionOfPrompt,
  type VersionChoice,
} from './versions.sql.ts'

export type { VersionChoice } from './versions.sql.ts'

/** Throws `not_found` where there is no such version. Whether a user may see it is for the caller to ask. */
export async function findPromptVersion({ db }: SqlContext, wanted: VersionChoice & { promptId: number }) {
  return (await findOptionalVersionOfPrompt(db, wanted)) ?? throwMissing(wanted)
}

export async function findChainVersion({ db }: SqlContext, wanted: VersionChoice & { chainId: number }) {
  return (await findOptionalVersionOfChain(db, wanted)) ?? throwMissing(wanted)
}

function throwMissing({ label, version }: VersionChoice): never {
  const what = version == null ? `label ${label ?? 'latest'}` : `version ${version}`
  throw new AppError('not_found', `There is no ${what}`)
}
