import type { ModelAlias } from '@catenary/contracts'
import { PlusIcon } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { RemoveButton } from '../../../components/remove-button.tsx'
import { Button } from '../../../components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../../../components/ui/dropdown-menu.tsx'
import { useModelLabel } from '../../model-settings/models.ts'
import type { ExecuteState } from '../use-execute.ts'
import { VersionMenuItems } from '../version-menu-items.tsx'
import { ModelMenu, ModelMenuItems } from './model-menu.tsx'
import { boundsOf, type RunText } from './targets.ts'

type Chooser = Pick<ExecuteState, 'prompt' | 'view' | 'changeView' | 'isEdited'>

/** Beside the model of a run: what it can be compared with. */
export function CompareWith({ state: { prompt, view, changeView, isEdited } }: { state: Chooser }) {
  const { otherModels, texts } = view
  const { newest, oldest } = olderTexts({ prompt, isEdited })
  return (
    <DropdownMenu>
      <DropdownMenuTrigger>
        <Button
          variant="secondary"
          className="-ml-px rounded-l-none px-2.5 font-normal text-text-2 focus-visible:z-1"
        >
          <PlusIcon />
          <span className="max-md:sr-only">compare with…</span>
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="min-w-52">
        <DropdownMenuLabel>A model</DropdownMenuLabel>
        <ModelMenuItems onChoose={(model) => changeView({ otherModels: [...otherModels, model] })} />
        {newest >= oldest && (
          <>
            <DropdownMenuSeparator />
            <DropdownMenuLabel>A version</DropdownMenuLabel>
            <VersionMenuItems
              promptId={prompt.id}
              newest={newest}
              oldest={oldest}
              chosen={texts}
              onChoose={(number) => changeView({ texts: [...texts, number] })}
            />
          </>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

function olderTexts({ prompt, isEdited }: Pick<Chooser, 'prompt' | 'isEdited'>) {
  return {
    newest: isEdited ? prompt.version : prompt.version - 1,
    oldest: prompt.canEdit ? 1 : prompt.version,
  }
}

/** What a comparison runs; nothing where one answer is asked for. */
export function ChosenTargets({ state }: { state: Chooser }) {
  const { otherModels, texts } = state.view
  if (otherModels.length === 0 && texts.join() === 'copy') return null
  return (
    <>
      <ChosenModels state={state} />
      <ChosenTexts state={state} />
    </>
  )
}

function ChosenModels({ state: { view, changeView } }: { state: Chooser }) {
  const labelOf = useModelLabel()
  const models = [view.model, ...view.otherModels]
  const { models: most } = boundsOf(view)
  const choose = ([model = view.model, ...otherModels]: ModelAlias[]) => changeView({ model, otherModels })
  return (
    <Chosen label="Models" count={`${models.length} of ${most}`}>
      {models.map((alias, place) => (
        <li key={alias + timesChosen({ models, place })} className="min-w-0">
          <ChosenChip
            label={labelOf(alias) + timesChosen({ models, place })}
            onRemove={models.length > 1 ? () => choose(models.toSpliced(place, 1)) : undefined}
          />
        </li>
      ))}
      {models.length < most && (
        <li>
          <ModelMenu onChoose={(model) => choose([...models, model])}>
            <AddButton label="Add a model" />
          </ModelMenu>
        </li>
      )}
    </Chosen>
  )
}

function ChosenTexts({ state: { prompt, view, changeView, isEdited } }: { state: Chooser }) {
  const [isOpen, setIsOpen] = useState(false)
  const { texts } = view
  const { texts: most } = boundsOf(view)
  const now = isEdited ? 'Edited copy' : `Version ${prompt.version}`
  const { newest, oldest } = olderTexts({ prompt, isEdited })
  if (newest < oldest && texts.length === 1) return null
  const choose = (texts: readonly RunText[]) => changeView({ texts })
  if (texts.length === 1 && texts[0] === 'copy') {
    return (
      <Button
        variant="ghost"
        size="sm"
        disabled={most < 2}
        onClick={() => choose(['copy', newest])}
        className="-ml-2.5 justify-self-start"
      >
        <PlusIcon />
        {isEdited ? `Compare with version ${prompt.version}` : 'Compare versions'}
      </Button>
    )
  }
  return (
    <Chosen label="Versions" count={`${texts.length} of ${most}`}>
      {texts.map((text) => (
        <li key={text} className="min-w-0">
          <ChosenChip
            label={text === 'copy' ? now : `Version ${text}`}
            onRemove={texts.length > 1 ? () => choose(texts.filter((other) => other !== text)) : undefined}
          />
        </li>
      ))}
      {texts.length < Math.min(most, newest - oldest + 2) && (
        <li>
          <DropdownMenu open={isOpen} onOpenChange={setIsOpen}>
            <DropdownMenuTrigger asChild>
              <AddButton label="Add a version" />
            </DropdownMenuTrigger>
            <DropdownMenuContent align="start" className="max-h-80 min-w-48 overflow-y-auto">
              {!texts.includes('copy') && (
                <DropdownMenuItem onSelect={() => choose([...texts, 'copy'])}>{now}</DropdownMenuItem>
              )}
              <VersionMenuItems
                promptId={prompt.id}
                newest={newest}
                oldest={oldest}
                chosen={texts}
                onChoose={(number) => choose([...texts, number])}
              />
            </DropdownMenuContent>
          </DropdownMenu>
        </li>
      )}
    </Chosen>
  )
}

interface ChosenChipProps {
  label: string
  onRemove: (() => void) | undefined
}

function ChosenChip({ label, onRemove }: ChosenChipProps) {
  return (
    <span className="flex h-7 max-w-full items-center rounded-control border border-line bg-surface pl-1.5 text-sm pointer-coarse:h-11">
      <span className="truncate">{label}</span>
      {onRemove ? (
        <RemoveButton
          label={`Remove ${label}`}
          onClick={onRemove}
          className="h-full w-6 [&_svg:not([class*=size-])]:size-3.5"
        />
      ) : (
        <span className="w-1.5" />
      )}
    </span>
  )
}

interface ChosenProps {
  label: string
  count: string
  children: ReactNode
}

function Chosen({ label, count, children }: ChosenProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3 text-sm">
        <h2 id={id} className="font-medium tracking-normal text-text-2">
          {label}
        </h2>
        <p className="text-text-3">{count}</p>
      </div>
      <ul className="flex flex-wrap gap-1.5">{children}</ul>
    </section>
  )
}

function AddButton({ label, ...props }: { label: string }) {
  return (
    <Button variant="secondary" size="icon-sm" aria-label={label} {...props}>
      <PlusIcon />
    </Button>
  )
}

function timesChosen({ models, place }: { models: readonly string[]; place: number }): string {
  const before = models.slice(0, place).filter((other) => other === models[place]).length
  return before === 0 ? '' : ` (${before + 1})`
}
