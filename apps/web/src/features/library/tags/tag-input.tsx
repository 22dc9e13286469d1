import { NAME_MAX, type Tag, type TagKind } from '@catenary/contracts'
import { PlusIcon } from 'lucide-react'
import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useState } from 'react'
import { Controller, type FieldValues } from 'react-hook-form'
import type { FormFieldProps } from '../../../components/forms/form-field.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Field, useFieldControl } from '../../../components/ui/field.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { isComposing, isEnter } from '../../../lib/keyboard/pressed.ts'
import { cn } from '../../../lib/utils.ts'
import { TagChip } from './tag-chip.tsx'
import { useAddTag } from './use-add-tag.ts'

export interface TagInputHandle {
  /** Adds what is typed but not yet added; call it on submit and save what it returns. */
  flush: () => Promise<Tag[]>
}

export interface FormTagsProps<Values extends FieldValues, Saved>
  extends FormFieldProps<Values, Saved, Tag[]> {
  kind: TagKind
  error: string | undefined
  ref: Ref<TagInputHandle>
}

export function FormTags<Values extends FieldValues, Saved>({
  control,
  name,
  kind,
  error,
  ref,
}: FormTagsProps<Values, Saved>) {
  return (
    <Field label="Tags" error={error}>
      <Controller
        control={control}
        name={name}
        render={({ field: { value, onChange } }) => (
          <TagInput kind={kind} value={value} onChange={onChange} ref={ref} />
        )}
      />
    </Field>
  )
}

export interface TagInputProps {
  kind: TagKind
  value: readonly Tag[]
  onChange: (tags: Tag[]) => void
  ref?: Ref<TagInputHandle>
}

export function TagInput({ kind, value, onChange, ref }: TagInputProps) {
  const [text, setText] = useState('')
  const { tags, addTag, isPending } = useAddTag(kind)
  const listId = useId()

  const commit = async (): Promise<Tag[]> => {
    const tag = await addTag(text)
    if (!tag) return [...value]
    setText('')
    if (value.some((other) => other.id === tag.id)) return [...value]
    const next = [...value, tag]
    onChange(next)
    return next
  }
  useImperativeHandle(ref, () => ({ flush: commit }))

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event)) return
    if (isEnter(event) || event.key === ',') {
      event.preventDefault()
      if (!isPending) void commit()
    }
    if (event.key === 'Backspace' && text === '') onChange(value.slice(0, -1))
  }

  return (
    <div
      className={cn(
        'field-ring flex min-h-8 flex-wrap items-center gap-1.5 rounded-control border border-line-strong bg-surface px-2.5 py-1 hover:border-text-3',
        value.length === 0 ? 'pointer-coarse:py-0' : 'pointer-coarse:py-1.5',
      )}
    >
      {value.map((tag) => (
        <TagChip
          key={tag.id}
          tag={tag}
          onRemove={() => onChange(value.filter((other) => other.id !== tag.id))}
        />
      ))}
      <input
        {...useFieldControl()}
        list={listId}
        value={text}
        maxLength={NAME_MAX}
        placeholder="Add a tag"
        autoComplete="off"
        readOnly={isPending}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-6 min-w-24 flex-1 bg-transparent text-sm outline-none pointer-coarse:h-11 [&::-webkit-calendar-picker-indicator]:hidden!"
      />
      {isPending ? (
        <Spinner className="mx-1.5 size-3.5 text-text-3" />
      ) : (
        <Button
          variant="ghost"
          aria-label="Add tag"
          onClick={() => void commit()}
          className="-mr-1.5 size-6 px-0 text-text-3 pointer-coarse:w-11"
        >
          <PlusIcon />
        </Button>
      )}
      <datalist id={listId}>
        {tags
          .filter((tag) => !value.some((other) => other.id === tag.id))
          .map((tag) => (
            <option key={tag.id} value={tag.name} />
          ))}
      </datalist>
    </div>
  )
}
