import { isWhole, type ListedPromptVersion, type PromptVersion } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { promptVersionQuery } from '../prompts.queries.ts'

export function useWholeVersion({
  promptId,
  listed,
}: {
  promptId: number
  listed: ListedPromptVersion | undefined
}): { version: PromptVersion | undefined; error: Error | null; refetch: () => void } {
  const known = listed && isWhole(listed) ? listed : undefined
  const { data, error, refetch } = useQuery({
    ...promptVersionQuery({ id: promptId, number: listed?.number ?? 0 }),
    enabled: listed !== undefined && known === undefined,
  })
  return { version: known ?? data, error, refetch: () => void refetch() }
}
