import type { AttachmentKind, User } from '@catenary/contracts'
import { extractVariables } from '@catenary/domain'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { listPlaces } from '../../variables/variables.ts'

export interface SentFile {
  kind: AttachmentKind
  param: string
  store(): Promise<string>
}

const WORDS: Record<AttachmentKind, string> = { image: 'images', document: 'documents' }

/**
 * Which name each file of a call is the value of. A place is a name in the text that means an image or document
 * variable without a file of its own; places are filled in the order of the text, each kind by its own. Throws
 * `invalid` for a file without a place.
 */
export async function placeSent(
  ctx: Context,
  {
    sent,
    template,
    typed,
    user,
  }: { sent: SentFile[]; template: string; typed?: ReadonlyMap<string, string>; user: User },
): Promise<Map<string, string>> {
  const placed = new Map<string, string>()
  if (sent.length === 0) return placed
  const names = extractVariables(template).filter((name) => typed?.has(name) !== true)
  const places = await listPlaces(ctx, { names, user })
  const pairs = sent.map((file) => {
    const index = places.findIndex(({ kind }) => kind === file.kind)
    const [place] = index === -1 ? [] : places.splice(index, 1)
    if (place === undefined) throw noPlace(file)
    return { ...file, name: place.name }
  })
  for (const { name, store } of pairs) placed.set(name, await store())
  return placed
}

function noPlace({ kind, param }: SentFile): AppError {
  const words = WORDS[kind]
  const message =
    `${words} are not supported here: the text has no variable for one. ` +
    `Add an ${kind} variable without its own file to it, such as $<${kind}>.`
  return new AppError('invalid', `${param}: ${message.replace('an document', 'a document')}`, {
    details: [{ path: param, message }],
  })
}
