import { type ReactNode, useId } from 'react'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import type { RailVersion } from './versioned.ts'

export interface VersionToolbarProps {
  versions: readonly RailVersion[]
  selected: number
  other: number | undefined
  onOtherChange: (number: number) => void
  children: ReactNode
}

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

export function nameOfVersion({
  number,
  versions,
}: {
  number: number
  versions: readonly { number: number }[]
}): string {
  return `Version ${number}${number === versions[0]?.number ? ' (current)' : ''}`
}
