import type { ExampleOutline } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { FileInputIcon, PencilLineIcon, PlusIcon, SparklesIcon, Undo2Icon } from 'lucide-react'
import type { ReactNode } from 'react'
import { LearnMore } from '../../components/learn-more.tsx'
import { ShortcutKeys } from '../../components/shortcut-keys.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { ExampleContents } from './example-contents.tsx'
import { examplesQuery } from './examples.queries.ts'
import { useExamples } from './use-examples.ts'

export default function StartCard({ onCreate, onImport }: { onCreate: () => void; onImport: () => void }) {
  const { data, isPending } = useQuery(examplesQuery)
  const { make, isMaking } = useExamples()
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-6 py-10 max-md:px-3.5 max-md:py-4">
      <section
        aria-labelledby="start-title"
        className="mx-auto max-w-[800px] overflow-hidden rounded-dialog border border-line bg-surface"
      >
        <div className="grid gap-4 p-7 max-md:p-4">
          <div className="grid gap-1.5">
            <h2 id="start-title" className="text-xl font-semibold">
              Start with something that runs
            </h2>
            <p className="max-w-[600px] text-base text-text-2">
              See what prompts, variables, chains and tests are. The examples also run in the sandbox, without
              a key.
            </p>
            <LearnMore about="prompts" className="justify-self-start" />
          </div>
          {/* A phone shows the button first. */}
          <div className="max-md:order-last">
            {data && <ExampleContents outline={data.outline} />}
            {isPending && <Skeleton className="h-[290px] rounded-card" />}
          </div>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5">
            <Button size="lg" pending={isMaking} onClick={make} className="max-md:w-full">
              {!isMaking && <SparklesIcon />}
              Start with examples
            </Button>
            <p className="flex items-center gap-2 text-sm text-text-2">
              <Undo2Icon aria-hidden="true" className="size-3.5 shrink-0 text-text-3" />
              {data && sizeOf(data.outline)} Remove them all in one click, whenever you like.
            </p>
          </div>
        </div>
        <div className="grid auto-cols-fr grid-flow-col divide-x divide-line border-t border-line max-md:grid-flow-row max-md:divide-x-0 max-md:divide-y">
          <OtherWay
            icon={<FileInputIcon />}
            title="Bring your own"
            description="OpenAI, Langfuse, Markdown"
            action={
              <Button variant="secondary" onClick={onImport}>
                Import
              </Button>
            }
          />
          <OtherWay
            icon={<PencilLineIcon />}
            title="Write your own"
            description="A title and a text"
            action={
              <Button variant="secondary" onClick={onCreate}>
                <PlusIcon />
                New prompt
              </Button>
            }
          />
        </div>
      </section>
      <p className="mt-4 flex flex-wrap items-center justify-center gap-1.5 text-sm text-text-2 max-md:hidden">
        <ShortcutKeys id="palette" /> finds, runs and creates from every page, <ShortcutKeys id="help" />{' '}
        lists the keys
      </p>
    </div>
  )
}

function OtherWay({
  icon,
  title,
  description,
  action,
}: {
  icon: ReactNode
  title: string
  description: string
  action: ReactNode
}) {
  return (
    <div className="flex items-center gap-3.5 px-7 py-4 max-md:px-4 [&_svg]:size-[18px] [&_svg]:shrink-0">
      <span aria-hidden="true" className="text-text-2">
        {icon}
      </span>
      <div className="min-w-0 flex-1">
        <h3 className="text-base font-semibold">{title}</h3>
        <p className="text-sm text-text-2">{description}</p>
      </div>
      {action}
    </div>
  )
}

function sizeOf({ prompts }: ExampleOutline): string {
  const categories = new Set(prompts.map(({ category }) => category)).size
  return `${prompts.length} prompts in ${categories === 4 ? 'four' : categories} categories.`
}
