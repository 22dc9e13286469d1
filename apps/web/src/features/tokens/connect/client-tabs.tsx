import {
  type ApiExample,
  CONNECT_CLIENTS,
  type ConnectClientName,
  type ConnectSubject,
  connectExamples,
  waysOf,
} from '@catenary/domain'
import { CheckIcon, CopyIcon } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import CodeView from '../../../components/content-viewer/content-viewer-code.tsx'
import { type CopiedText, useCopied } from '../../../components/copy/use-copied.ts'
import { Button } from '../../../components/ui/button.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../components/ui/segmented-control.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../../components/ui/tabs.tsx'
import { cn } from '../../../lib/utils.ts'
import { LANGUAGES } from '../example-languages.ts'

/** Ids are made of it, which have no spaces. */
const toValue = (client: string): string => client.replaceAll(' ', '-')

export interface ClientTabsProps {
  client: ConnectClientName
  onClient: (client: ConnectClientName) => void
  subject: ConnectSubject
  /** The beginning of the chosen token's value, and how the rest is read; null: it is not kept. */
  value: { shown: string; read: () => Promise<string> } | null
  choice: ReactNode
  noteOf: (example: ApiExample) => ReactNode
}

/** The clients that come with such a token, a tab each. */
export function ClientTabs({ client, onClient, subject, ...examples }: ClientTabsProps) {
  const clients = CONNECT_CLIENTS.filter(({ name }) => waysOf(name).includes(subject.way))
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another client has another tab, another way other tabs.
  useEffect(() => {
    const row = list.current
    if (!row) return
    showTab(row)
    const observer = new ResizeObserver(() => showTab(row))
    observer.observe(row)
    return () => observer.disconnect()
  }, [client, subject.way])
  return (
    <Tabs
      value={toValue(client)}
      onValueChange={(value) => {
        const chosen = clients.find(({ name }) => toValue(name) === value)
        if (chosen) onClient(chosen.name)
      }}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)]"
    >
      <TabsList
        ref={list}
        aria-label="Client"
        className="relative flex w-full shrink gap-0 overflow-x-auto rounded-none border-0 border-b bg-transparent px-2 py-0 [scrollbar-width:thin]"
      >
        {clients.map(({ name }) => (
          <TabsTrigger
            key={name}
            value={toValue(name)}
            className="-mb-px h-11 flex-none rounded-none border-b-2 border-transparent px-2.5 focus-visible:outline-offset-[-3px] data-[state=active]:border-accent data-[state=active]:bg-transparent"
          >
            {name}
          </TabsTrigger>
        ))}
      </TabsList>
      <TabsContent
        key={client}
        value={toValue(client)}
        tabIndex={-1}
        className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-3 px-4 pt-3.5 pb-1"
      >
        <Examples client={client} subject={subject} {...examples} />
      </TabsContent>
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

type ExamplesProps = Omit<ClientTabsProps, 'onClient'>

function Examples({ client, subject, value, choice, noteOf }: ExamplesProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const examplesWith = (token?: string) =>
    connectExamples({ address: window.location.origin, subject, token }).filter(
      (example) => example.client === client,
    )
  const examples = examplesWith(value?.shown)
  const example = examples.find(({ id }) => id === chosen) ?? examples[0]
  if (!example) return null
  const holdsValue = value !== null && example.code.includes(value.shown)
  const codeWith = (token: string) => examplesWith(token).find(({ id }) => id === example.id)?.code ?? ''
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
        <Snippet example={example} copied={holdsValue ? () => value.read().then(codeWith) : example.code} />
        {!holdsValue && (
          <p className="text-xs text-text-3">
            It reads the token’s value from <code className="font-mono">CATENARY_TOKEN</code>.
          </p>
        )}
        {noteOf(example)}
      </div>
    </>
  )
}

/** What is copied may hold a token's value that is not shown. */
function Snippet({ example, copied }: { example: ApiExample; copied: CopiedText }) {
  const { id, client, label, code, language, idempotency } = example
  const { isCopied, copy } = useCopied({ text: copied })
  const isLine = language === 'Shell' && !code.includes('\n')
  return (
    <div className="grid min-w-0 rounded-control border border-line bg-inset">
      <div
        data-example={id}
        className={cn('flex min-w-0 items-start gap-2.5 pl-3.5', isLine ? 'py-1.5 pr-1.5' : 'py-2.5 pr-1.5')}
      >
        {isLine && (
          <span aria-hidden className="pt-1 font-mono text-xs leading-[1.65] text-text-3 select-none">
            $
          </span>
        )}
        <div className={cn('min-w-0 flex-1', isLine ? 'py-1' : 'pt-0.5')}>
          <CodeView code={code} language={LANGUAGES[language]} isWriting={false} />
        </div>
        <Button
          variant="secondary"
          size="sm"
          aria-label={isCopied ? 'Copied!' : `Copy: ${client}, ${label}`}
          onClick={() => void copy()}
        >
          {isCopied ? <CheckIcon className="text-ok" /> : <CopyIcon />}
          <span className="max-md:sr-only">{isCopied ? 'Copied!' : 'Copy'}</span>
        </Button>
      </div>
      {idempotency !== undefined && (
        <p className="border-t border-line px-3.5 py-2 text-sm text-text-2">
          To repeat a call without paying twice, send a key with it:{' '}
          <code className="font-mono text-xs break-words">{idempotency}</code>
        </p>
      )}
    </div>
  )
}
