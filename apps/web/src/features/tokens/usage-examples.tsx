import { CHAIN_INPUT } from '@catenary/contracts'
import { apiExamples } from '@catenary/domain'
import { ExampleTabs } from './example-tabs.tsx'

export interface UsageExamplesProps {
  /** What a program calls it, such as `chain-7`. */
  model: string
}

/** How programs call a chain, filled with this server's address. */
export function UsageExamples({ model }: UsageExamplesProps) {
  const address = window.location.origin
  const coordinates = [
    { name: 'Address', value: address },
    { name: 'Model', value: model },
  ]
  return (
    <ExampleTabs examples={apiExamples({ address, model })} coordinates={coordinates}>
      Each reads the token’s value from <code className="font-mono text-xs">CATENARY_TOKEN</code>. Tip:{' '}
      <code className="rounded-[4px] bg-out-soft px-1 text-out">{`{{${CHAIN_INPUT.whole}}}`}</code> holds the
      whole request.
    </ExampleTabs>
  )
}
