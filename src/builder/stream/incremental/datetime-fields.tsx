/** A cursor of dates: field and formats, start and end, the step between, and where the bounds go. */
import type { Path } from '../../../document/value-path.ts'
import { LinesField } from '../../fields/lines-field.tsx'
import { SwitchField } from '../../fields/switch-field.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { TextField } from '../../fields/text-field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { useField } from '../../session/use-field.ts'
import { Folded } from '../../fields/folded.tsx'
import { InjectionToggle } from '../components/injection-toggle.tsx'
import { BoundField } from './bound-field.tsx'
import { FormatField } from './format-field.tsx'

export function DatetimeFields({ at, requesterAt }: { at: Path; requesterAt: Path }) {
  const { value: clamping } = useField([...at, 'clamping'])
  return (
    <>
      <div className="side-by-side">
        <TemplateField
          at={[...at, 'cursor_field']}
          label="Cursor field"
          isRequired
          help="The date field of a record that shows how far a read has progressed."
        />
        <FormatField
          at={[...at, 'datetime_format']}
          label="Format in requests"
          isRequired
          help="The date format that the API expects."
        />
      </div>
      <LinesField
        at={[...at, 'cursor_datetime_formats']}
        label="Formats in records"
        help="Date formats in records, one per line; the first that fits is used. Empty: as in requests."
      />
      <BoundField at={[...at, 'start_datetime']} label="Start" isRequired help="Where the first read begins." />
      <InjectionToggle
        at={[...at, 'start_time_option']}
        requesterAt={requesterAt}
        what="start time"
        help="Or put it into the request yourself, as `{{ stream_interval['start_time'] }}`."
      />
      <BoundField at={[...at, 'end_datetime']} label="End" help="Where each read ends; empty: now." />
      <InjectionToggle
        at={[...at, 'end_time_option']}
        requesterAt={requesterAt}
        what="end time"
        help="Or put it into the request yourself, as `{{ stream_interval['end_time'] }}`."
      />
      <div className="side-by-side">
        <TemplateField
          at={[...at, 'step']}
          label="Step"
          placeholder="P30D"
          help="How long a window is. Empty: one from start to end."
        />
        <TextField
          at={[...at, 'cursor_granularity']}
          label="Granularity"
          placeholder="PT1S"
          isCode
          help="The gap between the end of a window and the start of the next. Needs a step."
        />
        <TemplateField
          at={[...at, 'lookback_window']}
          label="Lookback"
          placeholder="P3D"
          help="How far before the saved state a read starts."
        />
      </div>
      {clamping !== undefined && <InYaml what="Clamping" why="moves the windows to whole days, weeks or months." />}
      <Folded title="More of incremental sync">
        <SwitchField
          at={[...at, 'is_data_feed']}
          label="Newest first"
          help="The API sorts by date and cannot filter: pagination ends at the first record that is too old."
        />
        <SwitchField
          at={[...at, 'is_client_side_incremental']}
          label="Filter here"
          help="The API cannot filter: everything is read, and older records are dropped."
        />
        <SwitchField
          at={[...at, 'is_compare_strictly']}
          label="Skip windows of no length"
          help="If start and end are the same, nothing is requested."
        />
        <SwitchField
          at={[...at, 'global_substream_cursor']}
          label="One cursor for all partitions"
          help="Instead of one for each; for streams with very many."
        />
        <div className="side-by-side">
          <TextField
            at={[...at, 'partition_field_start']}
            label="Name of the start"
            placeholder="start_time"
            isCode
            help="Its name in templates."
          />
          <TextField
            at={[...at, 'partition_field_end']}
            label="Name of the end"
            placeholder="end_time"
            isCode
            help="Its name in templates."
          />
        </div>
      </Folded>
    </>
  )
}
