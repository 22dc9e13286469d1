import type { Executor } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import {
  findOptionalVersionOfChain,
  findOptionalVersionOfPrompt,
  type VersionChoice,
} from '../versions.repository.ts'

export type { VersionChoice } from '../versions.repository.ts'

/** Throws `not_found` where there is no such version. Whether a user may see it is for the caller to ask. */
export async function findPromptVersion(executor: Executor, wanted: VersionChoice & { promptId: number }) {
  return (await findOptionalVersionOfPrompt(executor, wanted)) ?? throwMissing(wanted)
}

/** The same of a chain, with its steps as they were saved. */
export async function findChainVersion(executor: Executor, wanted: VersionChoice & { chainId: number }) {
  return (await findOptionalVersionOfChain(executor, wanted)) ?? throwMissing(wanted)
}

function throwMissing({ label, version }: VersionChoice): never {
  const what = version == null ? `label ${label ?? 'latest'}` : `version ${version}`
  throw new AppError('not_found', `There is no ${what}`)
}
