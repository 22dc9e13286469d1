import type { Executor } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import {
  findOptionalVersionOfChain,
  findOptionalVersionOfPrompt,
  type VersionChoice,
} from './versions.repository.ts'

export type { VersionChoice } from './versions.repository.ts'

/** The version of a prompt that is meant; throws `not_found`. Whether a person may see it is not asked here. */
export async function versionOf(executor: Executor, wanted: VersionChoice & { promptId: number }) {
  return (await findOptionalVersionOfPrompt(executor, wanted)) ?? missing(wanted)
}

/** The same of a chain, with its steps as they were kept. */
export async function chainVersionOf(executor: Executor, wanted: VersionChoice & { chainId: number }) {
  return (await findOptionalVersionOfChain(executor, wanted)) ?? missing(wanted)
}

function missing({ label, version }: VersionChoice): never {
  const what = version == null ? `label ${label ?? 'latest'}` : `version ${version}`
  throw new AppError('not_found', `There is no ${what}`)
}
