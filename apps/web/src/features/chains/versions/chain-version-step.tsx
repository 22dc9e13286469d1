import { stepTitle } from '@catenary/domain'
import { ChevronRightIcon } from 'lucide-react'
import { useId, useState } from 'react'
import { FieldChanges } from '../../../components/text-diff/field-changes.tsx'
import { TextDiff } from '../../../components/text-diff/text-diff.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { cn } from '../../../lib/utils.ts'
import { OthersNames } from '../../fills/others-names.tsx'
import { useModelLabel } from '../../model-settings/models.ts'
import { fieldChanges, type StepPair, textChanges } from './chain-version-changes.ts'

export interface ChainVersionStepProps {
  pair: StepPair
  moved: boolean
  within: string
  names: readonly [string, string]
}

export function ChainVersionStep({ pair, moved, within, names }: ChainVersionStepProps) {
  const { before, after, places } = pair
  const isOneSided = !before || !after
  const [isOpen, setIsOpen] = useState(!isOneSided)
  const panelId = useId()
  const nameOf = useModelLabel()
  const fields = fieldChanges({ pair, nameOf })
  const texts = textChanges(pair)
  const step = after ?? before
  return (
    <li className="min-w-0 overflow-hidden rounded-card border border-line bg-surface">
      <h3 className="flex font-normal">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-h-10 w-full min-w-0 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1.5 text-left text-sm tracking-normal outline-offset-[-3px] hover:bg-hover/50 pointer-coarse:min-h-11"
        >
          <ChevronRightIcon className={cn('size-4 shrink-0 text-text-3', isOpen && 'rotate-90')} />
          <span className="font-semibold tabular-nums">{places.after || places.before}</span>
          <span className="min-w-0 truncate font-medium">{step && stepTitle(step)}</span>
          {step && <Badge className="text-out">{step.outputVariableName}</Badge>}
          <Badge variant={after ? (before ? 'warn' : 'ok') : 'danger'} className="ml-auto">
            {verdictOf({ pair, moved })}
          </Badge>
        </button>
      </h3>
      <div id={panelId} hidden={!isOpen}>
        {isOpen && (fields.length > 0 || texts.length > 0) && (
          <div className="grid min-w-0 gap-3 border-t border-line bg-inset p-3">
            <OthersNames names={after?.othersNames} />
            <FieldChanges changes={fields} />
            {texts.map((text) => (
              <div key={text.label} className="min-w-0 bg-surface">
                <TextDiff
                  isTemplate
                  label={`${within}: ${text.label} of ${step?.outputVariableName}`}
                  before={{ label: `${text.label} in ${names[0]}`, text: text.before }}
                  after={{ label: `${text.label} in ${names[1]}`, text: text.after }}
                />
              </div>
            ))}
          </div>
        )}
      </div>
    </li>
  )
}

export function isChanged({ pair, moved }: { pair: StepPair; moved: boolean }): boolean {
  if (moved || !pair.before || !pair.after) return true
  return textChanges(pair).length > 0 || fieldChanges({ pair, nameOf: String }).length > 0
}

function verdictOf({ pair, moved }: { pair: StepPair; moved: boolean }): string {
  if (!pair.before) return 'added'
  if (!pair.after) return 'taken out'
  const words = [
    moved && `moved from ${pair.places.before}`,
    isChanged({ pair, moved: false }) && 'changed',
  ].filter(Boolean)
  return words.join(', ')
}
