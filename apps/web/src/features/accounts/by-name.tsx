import { type Administrators, administrators } from '@catenary/contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { useSession } from '../../lib/session/session.tsx'

const administratorsQuery = queryOptions({
  queryKey: ['administrators'],
  queryFn: ({ signal }) => api('GET /api/users/administrators', { reply: administrators, signal }),
})

const WHO = /\ban administrator\b/i

interface ByNameProps {
  /** Where it has ‘an administrator’ the names go. */
  text: string
  /** What administrators themselves read. */
  own?: string | undefined
}

/** Says whom to ask for what administrators alone may do. Guests, and who comes before the names, read it without names. */
export function ByName({ text, own = text }: ByNameProps): string {
  const { user, isAdmin } = useSession()
  const { data } = useQuery({ ...administratorsQuery, enabled: user !== null && !isAdmin && WHO.test(text) })
  if (isAdmin) return own
  return data === undefined ? text : text.replace(WHO, (anyone) => namesIn(data) || anyone)
}

/** `Ana`, `Ana or Ben`, `Ana, Ben or 3 others`. */
function namesIn({ names, others }: Administrators): string {
  const all = others === 0 ? names : [...names, `${others} ${others === 1 ? 'other' : 'others'}`]
  return [all.slice(0, -1).join(', '), ...all.slice(-1)].filter(Boolean).join(' or ')
}
