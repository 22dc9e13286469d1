import type { ListedPromptVersion, Prompt, PromptVersion } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { TemplateText } from '../../components/template-text.tsx'
import { Button } from '../../components/ui/button.tsx'
import {
  Dialog,
  DialogContent,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from '../../components/ui/dialog.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { promptVersionsQuery, versionFiguresQuery } from './prompts.queries.ts'
import { useWholeVersion } from './use-whole-version.ts'
import { VersionsComparison } from './versions-comparison.tsx'
import { VersionsList } from './versions-list.tsx'
import { VersionsConflict, VersionsRestore, type VersionsRestoreProps } from './versions-restore.tsx'

export interface VersionsDialogProps {
  promptId: number
  /** Absent where the versions are only to be read. */
  restore?: Pick<VersionsRestoreProps, 'revision' | 'losesChanges' | 'onReplaced'>
  onClose: () => void
}

/** What a prompt's title and content were: a list, two of them side by side, and the way back to one. */
export default function VersionsDialog({ promptId, restore, onClose }: VersionsDialogProps) {
  const { data: versions = [], error, isPending, refetch } = useQuery(promptVersionsQuery(promptId))
  const { data: figures = [] } = useQuery(versionFiguresQuery(promptId))
  const [choice, setChoice] = useState<Choice>({})
  const { selected, other } = pairOf(versions, choice)
  // What a person looks at stays, whatever others save meanwhile.
  if (selected && choice.selected === undefined) setChoice({ selected: selected.number })
  const shown = useWholeVersion({ promptId, listed: selected })
  const compared = useWholeVersion({ promptId, listed: other })
  const [conflict, setConflict] = useState<Prompt | null>(null)
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent className="h-[min(760px,calc(100dvh-32px))] max-w-[1120px]">
        <DialogHeader className="border-b border-line">
          <DialogTitle>Versions</DialogTitle>
        </DialogHeader>
        {error && <ErrorState error={error} onRetry={() => void refetch()} className="flex-1" />}
        {isPending && <VersionsSkeleton />}
        {selected && (
          <div className="grid min-h-0 flex-1 max-md:grid-rows-[auto_minmax(0,1fr)] md:grid-cols-[232px_minmax(0,1fr)]">
            <div className="grid min-h-0 max-md:max-h-[188px] max-md:border-b md:border-r">
              <VersionsList
                versions={versions}
                figures={figures}
                selected={selected.number}
                onSelect={(selected) => {
                  setChoice({ selected })
                  setConflict(null)
                }}
              />
            </div>
            <div className="grid min-h-0 content-start gap-4 overflow-y-auto p-4">
              {restore && conflict && shown.version && (
                <VersionsConflict
                  promptId={promptId}
                  version={shown.version}
                  current={conflict}
                  onReplaced={restore.onReplaced}
                  onConflict={setConflict}
                />
              )}
              {shown.version && compared.version && (
                <VersionsComparison
                  versions={versions}
                  selected={shown.version}
                  other={compared.version}
                  onOtherChange={(other) => setChoice({ selected: selected.number, other })}
                />
              )}
              {shown.version && !other && <OnlyVersion version={shown.version} />}
              {[shown, compared].map(
                ({ error, refetch }, index) =>
                  error && <ErrorState key={String(index)} error={error} onRetry={refetch} />,
              )}
            </div>
          </div>
        )}
        <DialogFooter>
          <Button variant="secondary" onClick={onClose}>
            Close
          </Button>
          {restore && !conflict && selected && selected !== versions[0] && (
            <VersionsRestore
              key={selected.number}
              promptId={promptId}
              version={selected}
              onConflict={setConflict}
              {...restore}
            />
          )}
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}

interface Choice {
  selected?: number
  other?: number
}

/** Unless chosen otherwise an older version is compared with the current one, and that with the one before. */
function pairOf(versions: readonly ListedPromptVersion[], choice: Choice) {
  const [current, previous] = versions
  const byNumber = (wanted?: number) => versions.find(({ number }) => number === wanted)
  const selected = byNumber(choice.selected) ?? previous ?? current
  return { selected, other: byNumber(choice.other) ?? (selected === current ? previous : current) }
}

function OnlyVersion({ version }: { version: PromptVersion }) {
  return (
    <div className="grid gap-3">
      <p className="text-sm text-text-2">
        This is the only version so far. Each save of another title or content adds one.
      </p>
      <div className="grid gap-2 rounded-control border border-line bg-inset p-3">
        <p className="text-sm font-medium wrap-anywhere">{version.title}</p>
        <TemplateText text={version.content} />
      </div>
    </div>
  )
}

function VersionsSkeleton() {
  return (
    <div role="status" aria-label="Loading versions" className="grid flex-1 content-start gap-2 p-4">
      {['w-40', 'w-36', 'w-44'].map((width) => (
        <Skeleton key={width} className={`h-10 ${width}`} />
      ))}
    </div>
  )
}
