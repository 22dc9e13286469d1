import type { ListedPromptVersion, PromptVersion } from '@catenary/contracts'
import { useId } from 'react'
import { TextDiff } from '../../components/text-diff/text-diff.tsx'
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '../../components/ui/select.tsx'

export interface VersionsComparisonProps {
  /** Newest first. */
  versions: readonly ListedPromptVersion[]
  selected: PromptVersion
  /** What the selected one is compared with. */
  other: PromptVersion
  onOtherChange: (number: number) => void
}

/** Two versions beside each other, the older one first. */
export function VersionsComparison({ versions, selected, other, onOtherChange }: VersionsComparisonProps) {
  const id = useId()
  const [before, after] = selected.number < other.number ? [selected, other] : [other, selected]
  const nameOf = ({ number }: Pick<PromptVersion, 'number'>) =>
    `Version ${number}${number === versions[0]?.number ? ' (current)' : ''}`
  return (
    <div className="grid min-w-0 content-start gap-3">
      <div className="flex flex-wrap items-center gap-2 text-sm text-text-2">
        <label htmlFor={id}>Compare version {selected.number} with</label>
        <Select value={String(other.number)} onValueChange={(number) => onOtherChange(Number(number))}>
          <SelectTrigger id={id} className="w-44 pointer-coarse:text-sm">
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {versions
              .filter(({ number }) => number !== selected.number)
              .map((version) => (
                <SelectItem key={version.number} value={String(version.number)}>
                  {nameOf(version)}
                </SelectItem>
              ))}
          </SelectContent>
        </Select>
      </div>
      {before.title !== after.title && <TitleChange before={before.title} after={after.title} />}
      <TextDiff
        before={{ label: nameOf(before), text: before.content }}
        after={{ label: nameOf(after), text: after.content }}
      />
    </div>
  )
}

function TitleChange({ before, after }: { before: string; after: string }) {
  return (
    <p className="grid gap-1 rounded-control border border-line px-3 py-2 text-sm wrap-anywhere">
      <span className="text-xs text-text-3">Title</span>
      <del className="justify-self-start rounded-[4px] bg-danger-soft px-1 text-danger">{before}</del>
      <ins className="justify-self-start rounded-[4px] bg-ok-soft px-1 text-ok no-underline">{after}</ins>
    </p>
  )
}
