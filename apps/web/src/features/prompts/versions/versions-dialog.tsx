import type { ListedPromptVersion, Prompt } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TemplateText } from '../../../components/template-text.tsx'
import { VersionsView } from '../../records/versions/versions-view.tsx'
import { promptVersionsQuery } from '../prompts.queries.ts'
import { useWholeVersion } from './use-whole-version.ts'
import { VersionDifference } from './version-difference.tsx'
import { VersionsConflict, VersionsRestore, type VersionsRestoreProps } from './versions-restore.tsx'

export interface VersionsDialogProps {
  prompt: Pick<Prompt, 'id' | 'title' | 'canEdit'>
  restore?: Pick<VersionsRestoreProps, 'revision' | 'losesChanges' | 'onReplaced'>
  onClose: () => void
}

interface Conflict {
  number: number
  current: Prompt
}

export default function VersionsDialog({ prompt, restore, onClose }: VersionsDialogProps) {
  const promptId = prompt.id
  const list = useQuery(promptVersionsQuery(promptId))
  const versions = list.data ?? []
  const [conflict, setConflict] = useState<Conflict | null>(null)
  return (
    <VersionsView
      record={{ kind: 'prompt', id: promptId, name: prompt.title }}
      list={{ ...list, data: list.data?.map((version) => ({ ...version, summary: version.title })) }}
      mayChange={prompt.canEdit}
      renderDifference={(pair) => <VersionDifference promptId={promptId} versions={versions} {...pair} />}
      renderOnly={() => <OnlyVersion promptId={promptId} version={versions[0]} />}
      renderRestore={
        restore && !conflict
          ? (number) => (
              <VersionsRestore
                key={number}
                promptId={promptId}
                number={number}
                onConflict={(current) => setConflict({ number, current })}
                {...restore}
              />
            )
          : undefined
      }
      notice={
        restore &&
        conflict && (
          <VersionsConflict
            promptId={promptId}
            listed={versions.find(({ number }) => number === conflict.number)}
            current={conflict.current}
            onReplaced={restore.onReplaced}
            onConflict={(current) => setConflict({ ...conflict, current })}
          />
        )
      }
      onSelect={() => setConflict(null)}
      onClose={onClose}
    />
  )
}

function OnlyVersion({
  promptId,
  version: listed,
}: {
  promptId: number
  version: ListedPromptVersion | undefined
}) {
  const { version } = useWholeVersion({ promptId, listed })
  return (
    <div className="grid gap-3">
      <p className="text-sm text-text-2">
        This is the only version so far. Each save that changes the title, content or settings adds one.
      </p>
      {version && (
        <div className="grid gap-2 rounded-control border border-line bg-inset p-3">
          <p dir="auto" className="text-sm font-medium wrap-anywhere">
            {version.title}
          </p>
          <TemplateText text={version.content} />
        </div>
      )}
    </div>
  )
}
