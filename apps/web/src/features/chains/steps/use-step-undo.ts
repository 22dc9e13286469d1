import type { Chain } from '@catenary/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { undoSave } from '../../../lib/forms/undo-save.ts'
import { chainQuery, useRestoreChain } from '../chains.queries.ts'

export function useStepUndo(chainId: number) {
  const queryClient = useQueryClient()
  const { mutateAsync: restore } = useRestoreChain(chainId)
  return async (before: Pick<Chain, 'version' | 'revision'>): Promise<ReturnType<typeof undoSave>> => {
    const saved = await queryClient.fetchQuery(chainQuery(chainId)).catch(() => undefined)
    // With another's change in between, the version before is not what this save has changed.
    if (saved === undefined || saved.revision !== before.revision + 1) return {}
    return undoSave({
      before,
      saved,
      restore: (number) => restore({ number, revision: saved.revision }),
      onRestored: () => undefined,
    })
  }
}
