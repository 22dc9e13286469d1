import { IMPORT_CHOICES, type ImportChoice, type ImportItem } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TextDiff } from '../../components/text-diff/text-diff.tsx'
import { Button } from '../../components/ui/button.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../components/ui/segmented-control.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { countText } from '../../lib/text/count-text.ts'
import { promptQuery } from '../prompts/prompts.queries.ts'
import { CHOICE_NAMES, type Choices, commonChoice } from './import-plan.ts'

export interface ConflictRowsProps {
  conflicts: readonly ImportItem[]
  choices: Choices
  onChoose: (keys: readonly string[], choice: ImportChoice) => void
}

export function ConflictRows({ conflicts, choices, onChoose }: ConflictRowsProps) {
  if (conflicts.length === 0) return null
  return (
    <section aria-label="Conflicts">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-y border-line bg-inset px-5 py-1.5">
        <p className="min-w-0 flex-1 text-sm max-md:basis-full">
          <span className="font-semibold">{countText(conflicts.length, 'conflict')}</span>{' '}
          <span className="text-text-2">same name, different text</span>
        </p>
        {conflicts.length > 1 && (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-sm text-text-2">For all</span>
            <ChoiceControl
              label="For all conflicts"
              value={commonChoice(conflicts, choices)}
              onChange={(choice) =>
                onChoose(
                  conflicts.map(({ key }) => key),
                  choice,
                )
              }
            />
          </div>
        )}
      </div>
      <ul className="divide-y divide-line border-b border-line">
        {conflicts.map((item) => (
          <ConflictRow
            key={item.key}
            item={item}
            choice={choices[item.key] ?? 'skip'}
            onChoose={(choice) => onChoose([item.key], choice)}
          />
        ))}
      </ul>
    </section>
  )
}

function ConflictRow({
  item,
  choice,
  onChoose,
}: {
  item: ImportItem
  choice: ImportChoice
  onChoose: (choice: ImportChoice) => void
}) {
  const [isOpen, setIsOpen] = useState(false)
  const { name, existing, at } = item
  return (
    <li>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-5 py-2">
        <p
          dir="auto"
          className="min-w-0 flex-1 basis-[180px] text-sm font-medium wrap-anywhere max-md:basis-full"
        >
          {name}
        </p>
        <p className="min-w-0 basis-[170px] text-sm text-text-2">
          {existing
            ? item.kind === 'suite'
              ? 'its tests here'
              : `version ${existing.version} here`
            : 'different text or settings'}
          <span className="block text-xs text-text-3">
            {existing?.isNewer
              ? 'yours is newer'
              : /^(\[\d+\])?$/.test(at)
                ? 'different text or settings'
                : `from ${at}`}
          </span>
        </p>
        <Button variant="link" className="text-sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          Diff<span className="sr-only"> of {name}</span>
        </Button>
        <ChoiceControl label={`What to do with ${name}`} value={choice} onChange={onChoose} />
      </div>
      {isOpen && <Difference item={item} />}
    </li>
  )
}

function Difference({ item }: { item: ImportItem }) {
  const { kind, content, here, existing } = item
  const isPrompt = kind === 'prompt'
  const { data } = useQuery({ ...promptQuery(existing?.id ?? 0), enabled: isPrompt && existing !== null })
  if (!isPrompt && content !== null && here !== null) {
    return (
      <div className="px-5 pb-3">
        <TextDiff before={{ label: 'Here', text: here }} after={{ label: 'In the file', text: content }} />
      </div>
    )
  }
  return (
    <div className="px-5 pb-3">
      {content === null ? (
        <p className="text-sm text-text-2">There are too many conflicts to compare the texts here.</p>
      ) : data === undefined ? (
        <Skeleton className="h-24" />
      ) : (
        <TextDiff
          isTemplate
          before={{ label: `Here, version ${data.version}`, text: data.content }}
          after={{ label: 'In the file', text: content }}
        />
      )}
    </div>
  )
}

function ChoiceControl({
  label,
  value,
  onChange,
}: {
  label: string
  value: ImportChoice | ''
  onChange: (choice: ImportChoice) => void
}) {
  return (
    <SegmentedControl<ImportChoice | ''>
      aria-label={label}
      value={value}
      onValueChange={(choice) => choice !== '' && onChange(choice)}
    >
      {IMPORT_CHOICES.map((choice) => (
        <SegmentedControlItem key={choice} value={choice}>
          {CHOICE_NAMES[choice]}
        </SegmentedControlItem>
      ))}
    </SegmentedControl>
  )
}
