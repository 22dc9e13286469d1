import { BracesIcon, LinkIcon, SparklesIcon, XIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'

const STORAGE_KEY = 'catenary.chain-intro'

function isPutAway(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'away'
  } catch {
    return false
  }
}

function putAway(): void {
  try {
    localStorage.setItem(STORAGE_KEY, 'away')
  } catch {
    // Storage is refused: it comes back with the next visit.
  }
}

const code = 'rounded-[4px] px-1 py-px font-mono text-[0.92em]'

export function ChainIntro() {
  const [isAway, setIsAway] = useState(isPutAway)
  if (isAway) return null
  return (
    <div className="relative">
      <section
        aria-label="About chains"
        className="grid rounded-card border border-line bg-inset py-3.5 max-lg:gap-3 max-lg:px-4 lg:grid-cols-3 lg:divide-x lg:divide-line"
      >
        <Point icon={<BracesIcon />} title="Use global variables">
          Any <code className={`${code} bg-ref-soft text-ref`}>$&lt;name&gt;</code> of the library, read when
          the chain runs.
        </Point>
        <Point icon={<LinkIcon />} title="Pass outputs forward">
          A step saves <code className={`${code} bg-out-soft text-out`}>{'{{name}}'}</code>; each later step
          may take it.
        </Point>
        <Point icon={<SparklesIcon />} title="Transform results">
          Another model, another prompt, until the answer is fit to send.
        </Point>
      </section>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Hide this introduction"
        title="Hide this introduction"
        className="absolute top-1 right-1"
        onClick={() => {
          putAway()
          setIsAway(true)
        }}
      >
        <XIcon />
      </Button>
    </div>
  )
}

function Point({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-0.5 lg:px-5 [&_svg]:size-4 [&_svg]:text-accent-text">
      <h2 className="flex items-center gap-2 text-base font-medium">
        {icon}
        {title}
      </h2>
      <p className="text-sm text-text-2">{children}</p>
    </div>
  )
}
