import type { ApiExample } from '@catenary/domain'
import { type ReactNode, useState } from 'react'
import CodeView from '../../components/content-viewer/content-viewer-code.tsx'
import { CopyButton } from '../../components/copy/copy-button.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../components/ui/segmented-control.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../components/ui/tabs.tsx'
import { LANGUAGES } from './example-languages.ts'

export interface ExampleTabsProps {
  examples: readonly ApiExample[]
  coordinates: readonly CoordinateProps[]
  children: ReactNode
}

export function ExampleTabs({ examples, coordinates, children }: ExampleTabsProps) {
  const clients = [...new Set(examples.map(({ client }) => client))]
  return (
    <section
      aria-label="Usage examples"
      className="@container grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 rounded-card border border-line bg-surface p-3.5"
    >
      <Tabs defaultValue={clients[0] ?? ''} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h3 className="text-sm font-semibold tracking-normal">Usage examples</h3>
          <TabsList aria-label="Client" className="max-w-full shrink overflow-x-auto">
            {clients.map((client) => (
              <TabsTrigger key={client} value={client} className="shrink-0">
                {client}
              </TabsTrigger>
            ))}
          </TabsList>
        </div>
        <dl className="grid divide-line rounded-control border border-line text-sm @max-md:divide-y @md:grid-cols-[1fr_auto] @md:divide-x">
          {coordinates.map((coordinate) => (
            <Coordinate key={coordinate.name} {...coordinate} />
          ))}
        </dl>
        {clients.map((client) => (
          <TabsContent key={client} value={client} tabIndex={-1} className="min-w-0">
            <ClientExamples examples={examples.filter((example) => example.client === client)} />
          </TabsContent>
        ))}
      </Tabs>
      <p className="text-sm text-text-2">{children}</p>
    </section>
  )
}

interface CoordinateProps {
  name: string
  value: string
  choice?: ReactNode
}

function Coordinate({ name, value, choice }: CoordinateProps) {
  return (
    <div className="flex min-w-0 items-center gap-2 py-0.5 pr-1 pl-3">
      <dt className="text-text-3">{name}</dt>
      <dd className="flex min-w-0 flex-1 items-center justify-between gap-2">
        {choice || <code className="truncate font-mono text-xs">{value}</code>}
        <CopyButton text={value} label={`Copy ${name.toLowerCase()}`} className="text-text-3" />
      </dd>
    </div>
  )
}

function ClientExamples({ examples }: { examples: readonly ApiExample[] }) {
  const [chosen, setChosen] = useState(examples[0]?.id ?? '')
  const example = examples.find(({ id }) => id === chosen)
  if (!example) return null
  return (
    <div className="grid min-w-0 rounded-control border border-line bg-inset">
      <div className="flex min-h-10 items-center gap-2 px-1.5 pt-1.5">
        {examples.length > 1 && (
          <SegmentedControl aria-label={example.client} value={chosen} onValueChange={setChosen}>
            {examples.map(({ id, label }) => (
              <SegmentedControlItem key={id} value={id}>
                {label}
              </SegmentedControlItem>
            ))}
          </SegmentedControl>
        )}
        {examples.length === 1 && <span className="px-1.5 text-sm text-text-3">{example.label}</span>}
        <CopyButton
          key={example.id}
          text={example.code}
          label={`Copy: ${example.client}, ${example.label}`}
          className="ml-auto"
        />
      </div>
      <div data-example={example.id} className="min-w-0 px-3 pt-1.5 pb-3">
        <CodeView code={example.code} language={LANGUAGES[example.language]} isWriting={false} />
      </div>
      {example.idempotency !== undefined && (
        <p className="border-t border-line px-3 py-2 text-sm text-text-2">
          To repeat a call without paying twice, send a key with it:{' '}
          <code className="font-mono text-xs break-words">{example.idempotency}</code>
        </p>
      )}
    </div>
  )
}
