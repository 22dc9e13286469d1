import { Fragment } from 'react'
import { Dialog, DialogBody, DialogContent, DialogHeader, DialogTitle } from '../../components/ui/dialog.tsx'
import { Kbd } from '../../components/ui/kbd.tsx'
import {
  SHORTCUTS,
  type Shortcut,
  type ShortcutId,
  shortcutLabels,
  spokenShortcut,
  useShortcutOn,
} from '../../lib/shortcuts.ts'
import { ShortcutSwitch } from './shortcut-switch.tsx'

const ids = Object.keys(SHORTCUTS) as ShortcutId[]
const GROUPS: readonly Shortcut['group'][] = ['Everywhere', 'Go to', 'Lists', 'Forms and runs']

/** Every shortcut there is. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent className="max-w-[640px]">
        <DialogHeader>
          <DialogTitle>Keyboard shortcuts</DialogTitle>
        </DialogHeader>
        <DialogBody>
          <div className="columns-2 gap-10 max-md:columns-1">
            {GROUPS.map((group) => (
              <section key={group} aria-label={group} className="break-inside-avoid pb-5">
                <h3 className="pb-1 text-xs font-medium tracking-normal text-text-3">{group}</h3>
                <dl>
                  {ids
                    .filter((id) => SHORTCUTS[id].group === group)
                    .map((id) => (
                      <ShortcutRow key={id} id={id} />
                    ))}
                </dl>
              </section>
            ))}
          </div>
          <div className="border-t border-line pt-4">
            <ShortcutSwitch />
          </div>
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}

function ShortcutRow({ id }: { id: ShortcutId }) {
  const isOn = useShortcutOn(id)
  return (
    <div className="flex min-h-8 items-center justify-between gap-3 text-sm">
      <dt className={isOn ? undefined : 'text-text-3'}>{SHORTCUTS[id].description}</dt>
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
