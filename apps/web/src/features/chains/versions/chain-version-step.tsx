import { stepTitle } from '@catenary/domain'
import { FieldChanges } from '../../../components/text-diff/field-changes.tsx'
import { TextDiff } from '../../../components/text-diff/text-diff.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { OthersNames } from '../../fills/others-names.tsx'
import { useModelLabel } from '../../model-settings/models.ts'
import { FoldedStep } from '../folded-step.tsx'
import { fieldChanges, type StepPair, textChanges } from './chain-version-changes.ts'

export interface ChainVersionStepProps {
  pair: StepPair
  moved: boolean
  within: string
  names: readonly [string, string]
}

export function ChainVersionStep({ pair, moved, within, names }: ChainVersionStepProps) {
  const { before, after, places } = pair
  const nameOf = useModelLabel()
  const fields = fieldChanges({ pair, nameOf })
  const texts = textChanges(pair)
  const step = after ?? before
  return (
    <FoldedStep
      isOpenAtFirst={Boolean(before && after)}
      head={
        <>
          <span className="font-semibold tabular-nums">{places.after || places.before}</span>
          <span className="min-w-0 truncate font-medium">{step && stepTitle(step)}</span>
          {step?.outputVariableName && <Badge className="text-out">{step.outputVariableName}</Badge>}
          <Badge variant={after ? (before ? 'warn' : 'ok') : 'danger'} className="ml-auto">
            {verdictOf({ pair, moved })}
          </Badge>
        </>
      }
    >
      {(fields.length > 0 || texts.length > 0) && (
        <div className="grid min-w-0 gap-3 border-t border-line bg-inset p-3">
          <OthersNames names={after?.othersNames} />
          <FieldChanges changes={fields} />
          {texts.map((text) => (
            <div key={text.label} className="min-w-0 bg-surface">
              <TextDiff
                isTemplate
                label={`${within}: ${text.label} of ${step?.outputVariableName || (step && stepTitle(step))}`}
                before={{ label: `${text.label} in ${names[0]}`, text: text.before }}
                after={{ label: `${text.label} in ${names[1]}`, text: text.after }}
              />
            </div>
          ))}
        </div>
      )}
    </FoldedStep>
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
