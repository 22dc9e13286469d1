import { useQuery } from '@tanstack/react-query'
import { ratingsQuery } from './rating.queries.ts'
import { RatingMark } from './rating-mark.tsx'

export function OthersRatings({ executionId }: { executionId: number }) {
  const { data } = useQuery(ratingsQuery(executionId))
  if (!data || data.others.length === 0) return null
  return (
    <ul aria-label="Other people’s ratings" className="grid gap-1 text-sm">
      {data.others.map(({ username, ...rating }) => (
        <li key={username} className="flex min-w-0 items-baseline gap-1.5 text-text-2">
          <span dir="auto" className="max-w-1/2 shrink-0 font-medium wrap-anywhere text-text">
            {username}
          </span>
          <RatingMark rating={rating} isWhole />
        </li>
      ))}
    </ul>
  )
}
