import type { User } from '@catenary/contracts'
import { type OthersText, othersNamesOf, textNames } from '../../consent.ts'
import type { NamedVersion } from './named-prompts.service.ts'

/** What of a version its reader did not bring in. */
export function othersTextOf({
  prompt: { id },
  version,
  user,
}: {
  prompt: Pick<NamedVersion['prompt'], 'id'>
  version: Pick<NamedVersion['version'], 'content' | 'settings' | 'namedBy'>
  user: User
}): OthersText {
  const { namedBy } = version
  return { kind: 'prompt', id, names: othersNamesOf(textNames(version), { namedBy, userId: user.id }) }
}
