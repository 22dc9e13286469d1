import type { PromptFetch } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorMessage } from '../../../lib/errors.ts'
import { fetchesOfQuery } from './skills.queries.ts'

/** Who has which version of a prompt, by whatever way it was fetched. */
export function SkillFetches({ promptId }: { promptId: number }) {
  const { data, error } = useQuery(fetchesOfQuery(promptId))
  return (
    <section aria-labelledby="skill-fetches" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <h3 id="skill-fetches" className="text-sm font-medium">
        Fetched last
      </h3>
      {error && <p className="text-sm text-danger">This could not be loaded: {errorMessage(error)}</p>}
      {!data && !error && <Skeleton className="h-9" />}
      {data?.length === 0 && <p className="text-sm text-text-3">Nobody has fetched it yet.</p>}
      {data && data.length > 0 && (
        <ul className="divide-y divide-line rounded-control border border-line">
          {data.map((fetched) => (
            <Fetch key={fetched.id} fetched={fetched} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Fetch({ fetched: { client, person, version, label, lastAt } }: { fetched: PromptFetch }) {
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-0.5 px-3 py-1.5 text-sm">
      <span className="min-w-0 flex-1 basis-[160px] truncate">
        {client === '' ? 'A program' : client} <span className="text-text-3">for {person}</span>
      </span>
      <span className="font-mono text-xs">v{version}</span>
      {label !== null && <Badge>{label}</Badge>}
      <span className="text-text-3">
        <RelativeTime time={lastAt} />
      </span>
    </li>
  )
}
