import { CHAIN_INPUT } from '@catenary/contracts'
import { apiExamples } from '@catenary/domain'
import { useState } from 'react'
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '../../components/ui/select.tsx'
import { ExampleTabs } from './example-tabs.tsx'

export interface UsageExamplesProps {
  models: readonly string[]
}

export function UsageExamples({ models }: UsageExamplesProps) {
  const [chosen, setChosen] = useState(models[0] ?? '')
  const model = models.includes(chosen) ? chosen : (models[0] ?? '')
  const address = window.location.origin
  const choice = models.length > 1 && <ModelSelect models={models} value={model} onChange={setChosen} />
  const coordinates = [
    { name: 'Address', value: address },
    { name: 'Model', value: model, choice },
  ]
  return (
    <ExampleTabs examples={apiExamples({ address, model })} coordinates={coordinates}>
      Each reads the token’s value from <code className="font-mono text-xs">CATENARY_TOKEN</code>. Tip:{' '}
      <code className="rounded-[4px] bg-out-soft px-1 text-out">{`{{${CHAIN_INPUT.whole}}}`}</code> holds the
      whole request.
    </ExampleTabs>
  )
}

function ModelSelect({
  models,
  value,
  onChange,
}: {
  models: readonly string[]
  value: string
  onChange: (model: string) => void
}) {
  return (
    <Select value={value} onValueChange={onChange}>
      <SelectTrigger
        aria-label="Model"
        className="h-7 border-transparent bg-transparent px-1.5 font-mono text-xs pointer-coarse:text-xs"
      >
        <SelectValue />
      </SelectTrigger>
      <SelectContent>
        {models.map((model) => (
          <SelectItem key={model} value={model} className="font-mono text-xs">
            {model}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  )
}
