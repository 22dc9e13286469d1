import {
  type ApiExample,
  CONNECT_CLIENTS,
  type ConnectClientName,
  type ConnectSubject,
  connectExamples,
} from '@catenary/domain'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Badge } from '../../../components/ui/badge.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../components/ui/segmented-control.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../../components/ui/tabs.tsx'
import { Snippet } from './snippet.tsx'

interface Place {
  label: string
  clients: readonly ConnectClientName[]
}

const PLACES: readonly Place[] = [...new Set(CONNECT_CLIENTS.map(labelOf))].map((label) => ({
  label,
  clients: CONNECT_CLIENTS.filter((client) => labelOf(client) === label).map(({ name }) => name),
}))

function labelOf(client: (typeof CONNECT_CLIENTS)[number]): string {
  return 'group' in client ? client.group : client.name
}

/** Ids are made of it, which have no spaces. */
const toValue = (label: string): string => label.replaceAll(' ', '-')

export interface ClientTabsProps {
  client: ConnectClientName
  onClient: (client: ConnectClientName) => void
  subject: ConnectSubject
  misfit: ReactNode
  choice: ReactNode
  noteOf: (example: ApiExample) => ReactNode
}

export function ClientTabs({ client, onClient, subject, misfit, choice, noteOf }: ClientTabsProps) {
  const place = PLACES.find(({ clients }) => clients.includes(client)) ?? PLACES[0]
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (place && list.current) showTab(list.current)
  }, [place])
  return (
    <Tabs
      value={place ? toValue(place.label) : ''}
      onValueChange={(value) => {
        const first = PLACES.find((one) => toValue(one.label) === value)?.clients[0]
        if (first) onClient(first)
      }}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)]"
    >
      <TabsList
        ref={list}
        aria-label="Client"
        className="relative flex w-full shrink gap-0 overflow-x-auto rounded-none border-0 border-b bg-transparent px-2 py-0 [scrollbar-width:thin]"
      >
        {PLACES.map(({ label }) => (
          <TabsTrigger
            key={label}
            value={toValue(label)}
            className="-mb-px h-11 flex-none rounded-none border-b-2 border-transparent px-2.5 focus-visible:outline-offset-[-3px] data-[state=active]:border-accent data-[state=active]:bg-transparent"
          >
            {label}
            {label === 'Coding agents' && subject.way === 'mcp' && <Badge>MCP</Badge>}
          </TabsTrigger>
        ))}
      </TabsList>
      {PLACES.map(({ label, clients }) => (
        <TabsContent
          key={label}
          value={toValue(label)}
          tabIndex={-1}
          className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-3 px-4 pt-3.5 pb-1"
        >
          {clients.length > 1 && (
            <SegmentedControl
              aria-label={label}
              value={client}
              onValueChange={onClient}
              className="max-w-full overflow-x-auto"
            >
              {clients.map((name) => (
                <SegmentedControlItem key={name} value={name} className="flex-none">
                  {name}
                </SegmentedControlItem>
              ))}
            </SegmentedControl>
          )}
          {misfit ? (
            <div className="min-w-0 basis-full">{misfit}</div>
          ) : (
            <Examples key={client} client={client} subject={subject} choice={choice} noteOf={noteOf} />
          )}
        </TabsContent>
      ))}
    </Tabs>
  )
}

/** Where the row is wider than its room, scrolls it, and nothing around it, to the active tab. */
function showTab(list: HTMLElement): void {
  const tab = list.querySelector<HTMLElement>('[data-state=active]')
  if (!tab) return
  const { offsetLeft, offsetWidth } = tab
  const isSeen =
    offsetLeft >= list.scrollLeft && offsetLeft + offsetWidth <= list.scrollLeft + list.clientWidth
  if (!isSeen) list.scrollLeft = offsetLeft - (list.clientWidth - offsetWidth) / 2
}

type ExamplesProps = Pick<ClientTabsProps, 'client' | 'subject' | 'choice' | 'noteOf'>

function Examples({ client, subject, choice, noteOf }: ExamplesProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const examples = connectExamples({ address: window.location.origin, subject }).filter(
    (example) => example.client === client,
  )
  const example = examples.find(({ id }) => id === chosen) ?? examples[0]
  if (!example) return null
  return (
    <>
      {(examples.length > 1 || choice) && (
        <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
          {examples.length > 1 && (
            <SegmentedControl
              aria-label={`${client} by`}
              value={example.id}
              onValueChange={setChosen}
              className="max-w-full"
            >
              {examples.map(({ id, label }) => (
                <SegmentedControlItem key={id} value={id}>
                  {label}
                </SegmentedControlItem>
              ))}
            </SegmentedControl>
          )}
          {choice}
        </div>
      )}
      {example.hint !== undefined && (
        <p className="min-w-0 flex-1 basis-64 text-sm text-text-2">{example.hint}</p>
      )}
      <div className="grid min-w-0 basis-full grid-cols-[minmax(0,1fr)] gap-2">
        <Snippet example={example} />
        {noteOf(example)}
      </div>
    </>
  )
}
