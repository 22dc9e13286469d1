import type { ListedPromptVersion, PromptVersion } from '@catenary/contracts'
import { ErrorState } from '../../../components/error-state.tsx'
import { FieldChanges } from '../../../components/text-diff/field-changes.tsx'
import { TextDiff } from '../../../components/text-diff/text-diff.tsx'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { OthersNames } from '../../fills/others-names.tsx'
import { useModelLabel } from '../../model-settings/models.ts'
import { settingChanges, settingTextChanges } from '../../model-settings/settings-text.ts'
import { nameOfVersion } from '../../records/versions/version-toolbar.tsx'
import type { VersionPair } from '../../records/versions/versioned.ts'
import { TOKENS_LABEL } from '../prompt-form.ts'
import { useWholeVersion } from './use-whole-version.ts'

export interface VersionDifferenceProps extends VersionPair {
  promptId: number
  versions: readonly ListedPromptVersion[]
}

export function VersionDifference({
  promptId,
  versions,
  before,
  after,
  label = 'Differences',
}: VersionDifferenceProps) {
  const listed = (wanted: number) => versions.find(({ number }) => number === wanted)
  const left = useWholeVersion({ promptId, listed: listed(before) })
  const right = useWholeVersion({ promptId, listed: listed(after) })
  const error = left.error ?? right.error
  const retry = left.error ? left.refetch : right.refetch
  if (error) return <ErrorState error={error} onRetry={retry} className="py-6" />
  if (!left.version || !right.version) return <Skeleton className="h-40" />
  return (
    <div className="grid min-w-0 gap-3">
      {left.version.title !== right.version.title && (
        <TitleChange before={left.version.title} after={right.version.title} />
      )}
      <OthersNames names={right.version.othersNames} />
      <SettingsDifference before={left.version} after={right.version} within={label} />
      <TextDiff
        isTemplate
        label={label}
        before={sideOf({ version: left.version, versions })}
        after={sideOf({ version: right.version, versions })}
      />
    </div>
  )
}

function SettingsDifference({
  before,
  after,
  within,
}: Record<'before' | 'after', PromptVersion> & { within: string }) {
  const nameOf = useModelLabel()
  const modelOf = ({ model }: PromptVersion) => (model === undefined ? 'No model set' : nameOf(model))
  const model = { label: 'Model', before: modelOf(before), after: modelOf(after) }
  const changes = [
    ...(model.before === model.after ? [] : [model]),
    ...settingChanges({ before, after, nameOf, tokensLabel: TOKENS_LABEL }),
  ]
  const texts = settingTextChanges({ before, after })
  return (
    <>
      {changes.length > 0 && (
        <section
          aria-label={`${within}: settings`}
          className="rounded-control border border-line px-3 py-2.5"
        >
          <FieldChanges changes={changes} />
        </section>
      )}
      {texts.map((text) => (
        <TextDiff
          key={text.label}
          isTemplate={text.label !== 'Output'}
          label={`${within}: ${text.label}`}
          before={{ label: `${text.label} in version ${before.number}`, text: text.before }}
          after={{ label: `${text.label} in version ${after.number}`, text: text.after }}
        />
      ))}
    </>
  )
}

function sideOf({
  version,
  versions,
}: {
  version: PromptVersion
  versions: VersionDifferenceProps['versions']
}) {
  const { number, content, author, createdAt } = version
  return {
    label: nameOfVersion({ number, versions }),
    text: content,
    detail: (
      <>
        {author ?? 'Deleted account'} · <RelativeTime time={createdAt} />
      </>
    ),
  }
}

function TitleChange({ before, after }: Record<'before' | 'after', PromptVersion['title']>) {
  return (
    <p className="grid gap-1 rounded-control border border-line px-3 py-2 text-sm wrap-anywhere">
      <span className="text-xs text-text-3">Title</span>
      <del className="justify-self-start rounded-[4px] bg-danger-soft px-1 text-danger">{before}</del>
      <ins className="justify-self-start rounded-[4px] bg-ok-soft px-1 text-ok no-underline">{after}</ins>
    </p>
  )
}
