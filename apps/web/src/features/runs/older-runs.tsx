import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Button } from '../../components/ui/button.tsx'

export function OlderRuns({
  history,
}: {
  history: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
}) {
  if (!history.hasNextPage) return null
  return (
    <Button
      variant="secondary"
      className="justify-self-center"
      pending={history.isFetchingNextPage}
      onClick={() => void history.fetchNextPage()}
    >
      Show older runs
    </Button>
  )
}
