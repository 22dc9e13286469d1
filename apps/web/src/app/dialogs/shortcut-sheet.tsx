import { Fragment } from 'react'
import { PlainDialog } from '../../components/plain-dialog.tsx'
import { ShortcutSwitch } from '../../components/shortcut-switch.tsx'
import { Kbd } from '../../components/ui/kbd.tsx'
import {
  SHORTCUTS,
  type Shortcut,
  type ShortcutId,
  shortcutLabels,
  spokenShortcut,
  useShortcutOn,
} from '../../lib/keyboard/shortcuts.ts'

const named = Object.entries(SHORTCUTS) as [ShortcutId, Shortcut][]
const rowsOf = (group: Shortcut['group']): Row[] =>
  named.flatMap(([id, shortcut]) =>
    shortcut.group === group ? { id, description: shortcut.description } : [],
  )

interface Row {
  id: ShortcutId
  description: string
}

export interface ShortcutSheetProps {
  sections: readonly { label: string; shortcut: ShortcutId }[]
  onClose: () => void
}

export default function ShortcutSheet({ sections, onClose }: ShortcutSheetProps) {
  const groups = [
    { group: 'Everywhere', rows: rowsOf('Everywhere') },
    { group: 'Go to', rows: sections.map(({ label, shortcut }) => ({ id: shortcut, description: label })) },
    { group: 'Lists', rows: rowsOf('Lists') },
    { group: 'Forms and runs', rows: rowsOf('Forms and runs') },
  ]
  return (
    <PlainDialog title="Keyboard shortcuts" className="max-w-[640px]" onClose={onClose}>
      <div className="columns-2 gap-10 max-md:columns-1">
        {groups.map(({ group, rows }) => (
          <section key={group} aria-label={group} className="break-inside-avoid pb-5">
            <h3 className="pb-1 text-xs font-medium tracking-normal text-text-3">{group}</h3>
            <dl>
              {rows.map((row) => (
                <ShortcutRow key={row.id} {...row} />
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="border-t border-line pt-4">
        <ShortcutSwitch />
      </div>
    </PlainDialog>
  )
}

function ShortcutRow({ id, description }: Row) {
  const isOn = useShortcutOn(id)
  return (
    <div className="flex min-h-8 items-center justify-between gap-3 text-sm">
      <dt className={isOn ? undefined : 'text-text-3'}>{description}</dt>
      <dd className="flex shrink-0 items-center gap-1 text-text-3">
        {isOn ? (
          <>
            <span className="sr-only">{spokenShortcut(id)}</span>
            {shortcutLabels(id).map((label, step) => (
              <Fragment key={label}>
                {step > 0 && (
                  <span aria-hidden="true" className="text-xs">
                    then
                  </span>
                )}
                <Kbd className="h-5 min-w-5 pointer-coarse:inline-flex">{label}</Kbd>
              </Fragment>
            ))}
          </>
        ) : (
          <span className="text-xs">Off</span>
        )}
      </dd>
    </div>
  )
}
