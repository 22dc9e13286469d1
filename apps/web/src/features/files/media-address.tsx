import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Input } from '../../components/ui/input.tsx'
import { isEnter } from '../../lib/keyboard/pressed.ts'

/** Asks for the address of an image or a PDF; Enter fetches it, and sends no form around it. */
export function MediaAddress({
  isPending,
  onFetch,
}: {
  isPending: boolean
  onFetch: (url: string) => Promise<void>
}) {
  const [url, setUrl] = useState('')
  const fetchNow = () => {
    if (url.trim() !== '' && !isPending) void onFetch(url.trim())
  }
  return (
    <div className="flex min-w-0 gap-1.5">
      <Input
        aria-label="Address"
        type="url"
        inputMode="url"
        placeholder="https://example.org/picture.png"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        onKeyDown={(event) => {
          if (!isEnter(event)) return
          event.preventDefault()
          fetchNow()
        }}
        className="min-w-0 flex-1"
      />
      <Button variant="secondary" pending={isPending} disabled={url.trim() === ''} onClick={fetchNow}>
        Fetch
      </Button>
    </div>
  )
}
