import { type ReactNode, useId } from 'react'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import type { RailVersion } from './versioned.ts'

export interface VersionToolbarProps {
  /** Newest first. */
  versions: readonly RailVersion[]
  selected: number
  /** What the selected one is compared with; undefined where there is none. */
  other: number | undefined
  onOtherChange: (number: number) => void
  /** What can be done with the selected one. */
  children: ReactNode
}

/** Says what is compared, and holds what can be done with the selected version. */
export function VersionToolbar({ versions, selected, other, onOtherChange, children }: VersionToolbarProps) {
  const id = useId()
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      {other === undefined ? (
        <p className="text-sm text-text-2">Version {selected}</p>
      ) : (
        <div className="flex flex-wrap items-center gap-2 text-sm text-text-2">
          <label htmlFor={id}>Compare version {selected} with</label>
          <ChoiceSelect
            choices={versions
              .filter(({ number }) => number !== selected)
              .map(({ number }) => ({ value: String(number), label: nameOfVersion({ number, versions }) }))}
            value={String(other)}
            onChange={(number) => onOtherChange(Number(number))}
            trigger={{ id, className: 'w-44 pointer-coarse:text-sm' }}
          />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2">{children}</div>
    </div>
  )
}

/** `Version 4`, and of the newest that it is the current one. */
export function nameOfVersion({
  number,
  versions,
}: {
  number: number
  versions: readonly { number: number }[]
}): string {
  return `Version ${number}${number === versions[0]?.number ? ' (current)' : ''}`
}
