import type { AttachmentKind, ListedVariable, Variable } from '@catenary/contracts'
import { attachmentMark, extractVariables, findVariable } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiPath } from '../../lib/api.ts'
import { useSession } from '../../lib/session/session.tsx'
import type { StoredMedia } from '../files/media-value.tsx'
import { allVariablesQuery } from './variables.queries.ts'

export interface MediaVariable {
  name: string
  kind: AttachmentKind
  variable: ListedVariable
  /** The mark that stands in the text for its file; null: it has none. */
  stored: string | null
  media: StoredMedia | null
}

/** Where the bytes of a variable's image or PDF are: another revision may have others. */
export function variableFile({ id, revision }: Pick<Variable, 'id' | 'revision'>): string {
  return `${apiPath('GET /api/variables/{id}/file', { params: { id } })}?revision=${revision}`
}

export function storedMedia({
  attachment,
  ...variable
}: Pick<Variable, 'id' | 'revision' | 'attachment'>): StoredMedia | null {
  return attachment && { attachment, src: variableFile(variable) }
}

/** The image and PDF variables that a text names, each once, in order; none until the library is known. */
export function useMediaVariables(text: string): MediaVariable[] {
  const { user } = useSession()
  const { data: variables } = useQuery(allVariablesQuery)
  const username = user?.username
  return useMemo(() => mediaIn({ text, variables: variables ?? [], username }), [text, variables, username])
}

function mediaIn({
  text,
  variables,
  username,
}: {
  text: string
  variables: readonly ListedVariable[]
  username: string | undefined
}): MediaVariable[] {
  if (!variables.some(({ type }) => isMediaType(type))) return []
  return extractVariables(text).flatMap((name) => {
    const variable = findVariable({ name, variables, username })
    if (variable === undefined || !isMediaType(variable.type)) return []
    const media = storedMedia(variable)
    const stored = media && attachmentMark(media.attachment)
    return [{ name, kind: variable.type, variable, stored, media }]
  })
}

function isMediaType(type: Variable['type']): type is AttachmentKind {
  return type === 'image' || type === 'document'
}
