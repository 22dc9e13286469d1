import type { ReactNode } from 'react'
import { PanelBoundary } from '../../components/panel-boundary.tsx'
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from '../../components/ui/dialog.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../components/ui/tabs.tsx'
import { AppearancePanel } from '../../features/accounts/appearance-panel.tsx'
import { EmailPanel } from '../../features/accounts/email-panel.tsx'
import { PasswordPanel } from '../../features/accounts/password-panel.tsx'
import { SessionsPanel } from '../../features/accounts/sessions-panel.tsx'
import { TimeZonePanel } from '../../features/accounts/time-zone-panel.tsx'
import { ActivityPanel } from '../../features/admin/activity/activity-panel.tsx'
import { BackupsPanel } from '../../features/admin/backups/backups-panel.tsx'
import { DebugModePanel } from '../../features/admin/debug-mode-panel.tsx'
import { ProtectedLabelsPanel } from '../../features/admin/labels/protected-labels-panel.tsx'
import { ModelsPanel } from '../../features/admin/models/models-panel.tsx'
import { SchedulesPanel } from '../../features/admin/schedules-panel.tsx'
import { StoragePanel } from '../../features/admin/storage-panel.tsx'
import { TaxonomyPanel } from '../../features/admin/taxonomy/taxonomy-panel.tsx'
import { UsersPanel } from '../../features/admin/users-panel.tsx'
import { ExamplesPanel } from '../../features/examples/examples-panel.tsx'
import { useMediaQuery } from '../../lib/appearance/media-query.ts'
import { useInstance } from '../../lib/instance.ts'
import { useSession } from '../../lib/session/session.tsx'
import { cn } from '../../lib/utils.ts'
import { ShortcutSwitch } from './shortcut-switch.tsx'

interface SettingsTab {
  title: string
  Panel: () => ReactNode
  /** It takes all the width that there is. */
  isWide?: boolean
}

const TAGS_TAB = 'Tags'
const MODELS_TAB = 'Models'
const BACKUPS_TAB = 'Backups'
const FIRST_TABS = { settings: undefined, tags: TAGS_TAB, models: MODELS_TAB, backups: BACKUPS_TAB } as const
const SYSTEM: SettingsTab[] = [
  { title: 'General', Panel: DebugModePanel },
  { title: 'Activity', Panel: ActivityPanel },
  { title: MODELS_TAB, Panel: ModelsPanel, isWide: true },
  { title: BACKUPS_TAB, Panel: BackupsPanel, isWide: true },
  { title: 'Schedules', Panel: SchedulesPanel },
  { title: 'Storage', Panel: StoragePanel },
  { title: 'Users', Panel: UsersPanel },
  { title: TAGS_TAB, Panel: TaxonomyPanel },
  { title: 'Protected labels', Panel: ProtectedLabelsPanel },
]
const PERSONAL: SettingsTab[] = [
  { title: 'Password', Panel: PasswordPanel },
  { title: 'Email', Panel: EmailPanel },
  { title: 'Appearance', Panel: Appearance },
  { title: 'Time zone', Panel: TimeZonePanel },
  { title: 'Sessions', Panel: SessionsPanel },
  { title: 'Examples', Panel: ExamplesPanel },
]
/** From here on the tabs stand beside the panel. */
const WIDE = '(min-width: 768px)'
const DESCRIPTION_ID = 'settings-description'

export interface SettingsDialogProps {
  /** What it opens at, where the person may change that. */
  at?: keyof typeof FIRST_TABS
  onClose: () => void
}

/** What a person sets for themselves, and an admin for everyone. */
export default function SettingsDialog({ at = 'settings', onClose }: SettingsDialogProps) {
  const { isAdmin } = useSession()
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent
        className={cn('h-[636px] max-w-[800px] max-md:h-full', isAdmin && 'h-[780px] max-w-[1180px]')}
        aria-describedby={DESCRIPTION_ID}
        // The first tab, not the close button.
        onOpenAutoFocus={(event) => focusSelectedTab(event)}
      >
        <DialogHeader className="border-b border-line">
          <DialogTitle>{isAdmin ? 'Admin Settings' : 'Settings'}</DialogTitle>
          <DialogDescription id={DESCRIPTION_ID}>
            {isAdmin ? 'Configure system-wide admin settings' : 'Configure your account on this installation'}
          </DialogDescription>
        </DialogHeader>
        <SettingsTabs key={String(isAdmin)} isAdmin={isAdmin} first={isAdmin ? FIRST_TABS[at] : undefined} />
        {isAdmin && <VersionFooter />}
      </DialogContent>
    </Dialog>
  )
}

/** The version of Catenary, for questions and bug reports. */
function VersionFooter() {
  const instance = useInstance()
  if (instance === undefined) return null
  const { version, commit } = instance
  return (
    <footer className="border-t border-line px-5 py-2 text-xs text-text-3">
      Catenary {version}
      {commit !== null && (
        <>
          , commit <span className="font-mono">{commit}</span>
        </>
      )}
    </footer>
  )
}

function Appearance() {
  return (
    <AppearancePanel>
      <ShortcutSwitch />
    </AppearancePanel>
  )
}

function SettingsTabs({ isAdmin, first }: { isAdmin: boolean; first: string | undefined }) {
  const isWide = useMediaQuery(WIDE)
  const tabs = isAdmin ? [...SYSTEM, ...PERSONAL] : PERSONAL
  return (
    <Tabs
      defaultValue={tabId(first ?? tabs[0]?.title ?? '')}
      orientation={isWide ? 'vertical' : 'horizontal'}
      className="flex min-h-0 flex-1 max-md:flex-col"
    >
      <div className="flex shrink-0 border-line bg-bg max-md:border-b md:border-r">
        <TabsList
          aria-label="Settings"
          className="flex w-44 flex-col items-stretch gap-0.5 rounded-none border-0 bg-transparent p-3 max-md:w-full max-md:shrink max-md:flex-row max-md:overflow-x-auto max-md:py-2 max-md:pr-10 max-md:pl-4 max-md:mask-r-from-[calc(100%-40px)]"
        >
          {isAdmin && <Group title="System" tabs={SYSTEM} />}
          <Group title="You" tabs={PERSONAL} isTitled={isAdmin} />
        </TabsList>
      </div>
      {tabs.map(({ title, Panel, isWide: isWidePanel }) => (
        <TabsContent
          key={title}
          value={tabId(title)}
          className="min-h-0 min-w-0 flex-1 overflow-x-hidden overflow-y-auto p-5"
        >
          <PanelBoundary title={title}>
            {isWidePanel ? (
              <Panel />
            ) : (
              <div className="max-w-[640px]">
                <Panel />
              </div>
            )}
          </PanelBoundary>
        </TabsContent>
      ))}
    </Tabs>
  )
}

function Group({ title, tabs, isTitled = true }: { title: string; tabs: SettingsTab[]; isTitled?: boolean }) {
  return (
    <>
      {isTitled && (
        <div aria-hidden="true" className="px-2 pt-1 pb-0.5 text-xs text-text-3 not-first:pt-3 max-md:hidden">
          {title}
        </div>
      )}
      {tabs.map(({ title }) => (
        <TabsTrigger
          key={title}
          value={tabId(title)}
          className="h-8 flex-none justify-start rounded-control px-2 font-normal text-text-2 pointer-coarse:px-2 data-[state=active]:bg-accent-soft data-[state=active]:font-medium data-[state=active]:text-accent-text"
        >
          {title}
        </TabsTrigger>
      ))}
    </>
  )
}

/** Becomes part of an id, which holds no spaces. */
function tabId(title: string): string {
  return title.replaceAll(' ', '-')
}

function focusSelectedTab(event: Event): void {
  const tab = (event.currentTarget as HTMLElement | null)?.querySelector<HTMLElement>(
    '[aria-selected="true"]',
  )
  if (!tab) return
  event.preventDefault()
  tab.focus()
}
