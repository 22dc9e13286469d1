import type { Variable, VariableUsage } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { SwitchField } from '../../components/forms/switch-field.tsx'
import { describeUsage } from './variable-usage.ts'
import { variableUsageQuery } from './variables.queries.ts'

export interface RenameNoticeProps {
  variable: Pick<Variable, 'id' | 'name'>
  name: string
  rewrites: boolean
  onRewritesChange: (rewrites: boolean) => void
}

export function RenameNotice({ variable, name, rewrites, onRewritesChange }: RenameNoticeProps) {
  const { data: usage, error } = useQuery(variableUsageQuery(variable.id))
  if (error || (usage && usage.prompts.length + usage.chains.length === 0)) return null
  if (!usage) return null
  const { own, foreign } = split(usage)
  return (
    <section
      aria-label="References to the old name"
      className="grid gap-2.5 rounded-control border border-line bg-inset p-3 text-sm"
    >
      <p className="text-text-2">
        <code className="text-ref">$&lt;{variable.name}&gt;</code> is used by {usageText(usage)}.
      </p>
      {own.length > 0 && (
        <>
          <ul aria-label="Yours" className="grid max-h-32 gap-0.5 overflow-y-auto">
            {own.map(({ key, title, note }) => (
              <li key={key} className="flex min-w-0 gap-2">
                <span dir="auto" className="truncate">
                  {title}
                </span>
                <span className="shrink-0 text-text-3">{note}</span>
              </li>
            ))}
          </ul>
          <SwitchField
            label={
              <>
                Write <code className="text-ref">$&lt;{name}&gt;</code> into{' '}
                {own.length === 1 ? 'it' : `these ${own.length}`}
              </>
            }
            checked={rewrites}
            onChange={onRewritesChange}
          />
        </>
      )}
      {foreign > 0 && (
        <p className="text-text-3">
          {foreign === 1 ? '1 is not yours and keeps' : `${foreign} are not yours and keep`} the old name.
        </p>
      )}
    </section>
  )
}

interface Referring {
  key: string
  title: string
  note: string
}

function split({ prompts, chains }: VariableUsage): { own: Referring[]; foreign: number } {
  const ownPrompts = prompts.filter(({ canEdit }) => canEdit)
  const ownChains = chains.filter(({ canEdit }) => canEdit)
  const own = [
    ...ownPrompts.map(({ id, title }) => ({ key: `prompt-${id}`, title, note: 'prompt' })),
    ...ownChains.map(({ id, name, steps }) => ({
      key: `chain-${id}`,
      title: name,
      note: steps === 1 ? 'chain, 1 step' : `chain, ${steps} steps`,
    })),
  ]
  return { own, foreign: prompts.length + chains.length - own.length }
}

function usageText({ prompts, chains }: VariableUsage): string {
  return describeUsage({ prompts: prompts.length, chains: chains.length })
}
