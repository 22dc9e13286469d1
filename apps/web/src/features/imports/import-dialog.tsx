import type { ImportItem } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ChevronRightIcon, CircleAlertIcon, DownloadIcon, LockIcon } from 'lucide-react'
import { type DragEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { SwitchField } from '../../components/forms/switch-field.tsx'
import { ShortcutKeys } from '../../components/shortcut-keys.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { ChoiceSelect } from '../../components/ui/choice-select.tsx'
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '../../components/ui/collapsible.tsx'
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from '../../components/ui/dialog.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { useShortcut } from '../../lib/keyboard/use-shortcut.ts'
import { formatTime } from '../../lib/text/format-time.ts'
import { useTimeZone } from '../../lib/time-zone.ts'
import { cn } from '../../lib/utils.ts'
import { categoriesQuery } from '../library/categories/categories.queries.ts'
import { filesOf } from './chosen-files.ts'
import { ConflictRows } from './conflict-rows.tsx'
import { DoneView } from './done-view.tsx'
import { FileStrip } from './file-strip.tsx'
import { counted, countedKinds, listedNames, nounOf, sentenceOf } from './import-plan.ts'
import { LossList } from './loss-list.tsx'
import { ReportCounts } from './report-counts.tsx'
import { StartView } from './start-view.tsx'
import { type ImportDialogState, useImportDialog } from './use-import-dialog.ts'

const DEFAULT_CATEGORY = 'default'

const LISTED_ITEMS = 200

export default function ImportDialog({ onClose }: { onClose: () => void }) {
  const state = useImportDialog()
  const [isOver, setIsOver] = useState(false)
  const surface = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const descriptionId = useId()
  const { files, done, undone, plan, isImporting } = state
  const canImport = done === null && undone === null && plan.total > 0 && !isImporting && !state.isReading
  useShortcut({ id: 'submit', within: surface, onPress: () => canImport && void state.submit() })
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    if (done === null) void filesOf(event.dataTransfer).then(state.add)
  }
  return (
    <Dialog open onOpenChange={(open) => open || isImporting || onClose()}>
      <DialogContent
        aria-describedby={descriptionId}
        className={cn('max-w-[1080px]', isOver && 'border-accent')}
        onInteractOutside={(event) => files.length > 0 && done === null && event.preventDefault()}
        onOpenAutoFocus={(event) => {
          // On touch a field would bring up the keyboard.
          const isTouch = globalThis.matchMedia?.('(pointer: coarse)').matches
          const target = isTouch ? event.currentTarget : surface.current?.querySelector('textarea')
          if (!(target instanceof HTMLElement)) return
          event.preventDefault()
          target.focus()
        }}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        {/* The dialog’s own box is watched by its kit. */}
        <div ref={surface} className="contents">
          <DialogHeader closeDisabled={isImporting}>
            <DialogTitle>Import</DialogTitle>
            <DialogDescription id={descriptionId}>
              {done || undone ? 'Result' : 'This is a dry run. Nothing is saved until you press Import.'}
            </DialogDescription>
          </DialogHeader>
          {state.problem && (
            <Banner variant="danger" role="alert" icon={<CircleAlertIcon />} className="mx-5 mb-3">
              {state.problem}
            </Banner>
          )}
          <Content
            state={state}
            onChoose={() => input.current?.click()}
            onChooseFolder={() => folder.current?.click()}
          />
          <Picker label="Choose files" refTo={input} onPick={state.add} />
          <Picker label="Choose a folder" refTo={folder} onPick={state.add} isFolder />
          <Footer state={state} canImport={canImport} onClose={onClose} />
        </div>
      </DialogContent>
    </Dialog>
  )
}

interface ContentProps {
  state: ImportDialogState
  onChoose: () => void
  onChooseFolder: () => void
}

function Content({ state, onChoose, onChooseFolder }: ContentProps) {
  const { files, report, done, undone, isUndoing } = state
  if (done !== null) {
    const undo = () => done.id !== null && void state.undo(done.id)
    return <DoneView outcome={done} undone={undone} isUndoing={isUndoing} onUndo={undo} />
  }
  if (undone !== null) {
    const nothing = { id: null, files: [], items: [], losses: [], lossCount: 0 }
    return <DoneView outcome={nothing} undone={undone} isUndoing={false} onUndo={() => undefined} />
  }
  if (files.length === 0) {
    return (
      <StartView
        onChoose={onChoose}
        onChooseFolder={onChooseFolder}
        onPaste={state.paste}
        onUndo={(id) => void state.undo(id)}
        onReport={(id) => void state.download(id)}
        isUndoing={isUndoing}
      />
    )
  }
  return (
    <>
      <FileStrip files={files} read={report?.files} onRemove={state.remove} onChoose={onChoose} />
      {state.passedOver.length > 0 && (
        <p role="note" className="px-5 text-sm text-text-2 wrap-anywhere">
          Skipped, because they contain no prompt: {listedNames(state.passedOver)}
        </p>
      )}
      {state.readError ? (
        <ErrorState title="The files could not be read" error={state.readError} onRetry={state.retry} />
      ) : report === undefined ? (
        <ReportSkeleton />
      ) : (
        <Report state={state} report={report} />
      )}
    </>
  )
}

function Report({
  state,
  report,
}: Pick<ContentProps, 'state'> & { report: NonNullable<ImportDialogState['report']> }) {
  const { items, lossCount } = report
  const conflicts = items.filter((item) => item.state === 'conflict')
  const hasAside = items.length > 0 || lossCount > 0
  return (
    <div
      className={cn(
        'min-h-0 flex-1 overflow-y-auto',
        hasAside && 'md:grid md:grid-cols-[minmax(0,1fr)_310px] md:overflow-hidden',
      )}
    >
      <div className="md:min-h-0 md:overflow-y-auto">
        <div className="px-5 py-3">
          {items.length === 0 ? (
            <p className="text-sm text-text-2">The chosen files contain no prompts.</p>
          ) : (
            <ReportCounts items={items} />
          )}
        </div>
        <ConflictRows conflicts={conflicts} choices={state.choices} onChoose={state.choose} />
        <FoldedItems items={items} />
      </div>
      {hasAside && (
        <aside
          aria-label="Report"
          className="grid content-start gap-4 border-line bg-inset p-4 max-md:border-t md:min-h-0 md:overflow-y-auto md:border-l"
        >
          <LossList {...report} />
          {items.length > 0 && (
            <ImportOptions
              {...state.options}
              skills={items.filter(({ isSkill }) => isSkill).length}
              onChange={state.setOptions}
            />
          )}
        </aside>
      )}
    </div>
  )
}

function ReportSkeleton() {
  return (
    <div role="status" aria-label="Reading the files" className="grid gap-3 px-5 py-3">
      <Skeleton className="h-[76px] rounded-card" />
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
    </div>
  )
}

function Footer({
  state,
  canImport,
  onClose,
}: {
  state: ImportDialogState
  canImport: boolean
  onClose: () => void
}) {
  const { files, report, done, undone, plan, isImporting } = state
  const hasReport =
    done === null ? report !== undefined && report.lossCount > 0 : done.id !== null && undone === null
  const isOver = done !== null || undone !== null
  return (
    <DialogFooter
      start={
        !isOver &&
        report && (
          <p className="text-sm text-text-2" role="status">
            {sentenceOf(plan)} {plan.total > 0 && 'You can undo the whole import for a day.'}
          </p>
        )
      }
    >
      {hasReport && (
        <Button variant="ghost" onClick={() => void state.download(done?.id ?? null)}>
          <DownloadIcon />
          Report
        </Button>
      )}
      <Button variant="secondary" disabled={isImporting} onClick={onClose}>
        {isOver ? 'Close' : 'Cancel'}
      </Button>
      {!isOver && files.length > 0 && (
        <Button disabled={!canImport} pending={isImporting} onClick={() => void state.submit()}>
          {isImporting
            ? 'Importing...'
            : `Import${plan.total > 0 ? ` ${plan.total.toLocaleString('en')}` : ''}`}
          {!isImporting && <ShortcutKeys id="submit" />}
        </Button>
      )}
    </DialogFooter>
  )
}

function Picker({
  label,
  refTo,
  onPick,
  isFolder = false,
}: {
  label: string
  refTo: RefObject<HTMLInputElement | null>
  onPick: (files: readonly File[]) => void
  isFolder?: boolean
}) {
  return (
    <input
      ref={refTo}
      type="file"
      multiple
      aria-label={label}
      tabIndex={-1}
      className="sr-only"
      {...(isFolder ? { webkitdirectory: '' } : {})}
      onChange={(event) => {
        onPick([...(event.target.files ?? [])])
        // The same file again is a choice, too.
        event.target.value = ''
      }}
    />
  )
}

function FoldedItems({ items }: { items: readonly ImportItem[] }) {
  return (
    <div className="divide-y divide-line">
      <Group
        items={items.filter(({ state }) => state === 'new')}
        about="private, and yours"
        badge={<Badge variant="ok">New</Badge>}
      />
      <Group
        items={items.filter(({ state }) => state === 'same')}
        about="here already, nothing to do"
        badge={<Badge>Same</Badge>}
      />
    </div>
  )
}

function Group({ items, about, badge }: { items: readonly ImportItem[]; about: string; badge: ReactNode }) {
  if (items.length === 0) return null
  return (
    <Collapsible defaultOpen={items.length <= 5}>
      <CollapsibleTrigger className="group flex min-h-10 w-full items-center gap-2.5 px-5 py-1.5 text-left text-sm hover:bg-hover pointer-coarse:min-h-11">
        <ChevronRightIcon
          aria-hidden="true"
          className="size-4 shrink-0 text-text-3 transition-transform group-data-[state=open]:rotate-90"
        />
        <span className="min-w-[160px] font-medium">{countedKinds(items)}</span>
        <span className="min-w-0 flex-1 truncate text-text-2 max-md:hidden">{about}</span>
        <span className="ml-auto">{badge}</span>
      </CollapsibleTrigger>
      <CollapsibleContent>
        <ul className="grid gap-1 pr-5 pb-2.5 pl-[46px] text-sm">
          {items.slice(0, LISTED_ITEMS).map(({ key, kind, name, tests }) => (
            <li key={key} className="flex gap-3">
              <span dir="auto" className="min-w-0 wrap-anywhere">
                {name}
              </span>
              {kind === 'chain' && <span className="shrink-0 text-text-3">chain</span>}
              {tests > 0 && <span className="shrink-0 text-text-3">{counted(tests, 'test')}</span>}
            </li>
          ))}
          {items.length > LISTED_ITEMS && (
            <li className="text-text-3">
              and {counted(items.length - LISTED_ITEMS, `more ${nounOf(items)}`)}
            </li>
          )}
        </ul>
      </CollapsibleContent>
    </Collapsible>
  )
}

interface ImportOptionsProps {
  categoryId: number | null
  tag: string | null
  asSkills: boolean
  skills: number
  onChange: (change: { categoryId?: number | null; tag?: string | null; asSkills?: boolean }) => void
}

function ImportOptions({ categoryId, tag, asSkills, skills, onChange }: ImportOptionsProps) {
  const { data: categories = [] } = useQuery(categoriesQuery)
  const timeZone = useTimeZone()
  const name = `import ${formatTime({ time: new Date().toISOString(), as: 'shortDay', timeZone })}`
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <Field label="Category" hint="Used for files that don’t name a category.">
        <ChoiceSelect
          choices={[
            { value: DEFAULT_CATEGORY, label: 'General' },
            ...categories
              .filter((category) => category.name !== 'General')
              .map((category) => ({ value: String(category.id), label: category.name })),
          ]}
          value={categoryId === null ? DEFAULT_CATEGORY : String(categoryId)}
          onChange={(value) => onChange({ categoryId: value === DEFAULT_CATEGORY ? null : Number(value) })}
        />
      </Field>
      <SwitchField
        label={`Tag them “${name}”`}
        checked={tag !== null}
        onChange={(isOn) => onChange({ tag: isOn ? name : null })}
      />
      {skills > 0 && (
        <SwitchField
          label={
            skills === 1 ? 'Also serve the skill to agents' : `Also serve the ${skills} skills to agents`
          }
          checked={asSkills}
          onChange={(isOn) => onChange({ asSkills: isOn })}
        />
      )}
      <p className="flex items-center gap-2 text-sm text-text-2">
        <LockIcon aria-hidden="true" className="size-3.5 shrink-0 text-text-3" />
        Private until you share them
      </p>
    </div>
  )
}
