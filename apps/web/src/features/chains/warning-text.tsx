import { CHAIN_INPUT } from '@catenary/contracts'
import type { ChainWarning } from '@catenary/domain'
import { Button } from '../../components/ui/button.tsx'

/** What can be done about a warning where it is said. */
export interface WaysOut {
  createVariable?: (() => void) | undefined
  takeInput?: (() => void) | undefined
}

/** Whether it names a variable that isn't there, which can be made. */
export function isAboutVariable({ kind, name }: Pick<ChainWarning, 'kind' | 'name'>): boolean {
  return kind === 'unknown-variable' || (kind === 'unknown-list' && /^\w+$/.test(name ?? ''))
}

export type WaysOutOf = (warning: ChainWarning) => WaysOut

export function WarningText({ warning, ways }: { warning: ChainWarning; ways: WaysOut }) {
  const { kind, name, message } = warning
  const { createVariable, takeInput } = ways
  if (!createVariable && !takeInput) return message
  const input = `{{${CHAIN_INPUT.lastMessage}}}`
  return (
    <>
      {message}{' '}
      <span className="inline-flex flex-wrap gap-x-3 gap-y-1">
        {createVariable && (
          <Button
            variant="link"
            aria-label={`Create variable ${name}`}
            className={WAY}
            onClick={createVariable}
          >
            Create variable
          </Button>
        )}
        {takeInput && (
          <Button
            variant="link"
            aria-label={`Use ${input} instead of ${kind === 'unknown-list' ? name : `$<${name}>`}`}
            className={WAY}
            onClick={takeInput}
          >
            Use {input}
          </Button>
        )}
      </span>
    </>
  )
}

const WAY = 'text-[length:inherit] text-warn underline'
