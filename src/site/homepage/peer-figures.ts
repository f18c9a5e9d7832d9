/** Written by `npm run bench:peers` from benchmarks/peers/results.json: never edit it by hand. */
import type { PeerFigures } from './peer-picture.ts'

export const peerFigures: PeerFigures = {
  "date": "2026-11-17",
  "machine": "2 cores of Intel(R) Xeon(R) Processor",
  "versions": [
    "Turnleaf 0.1.0",
    "airbyte-cdk 7.39.1",
    "dlt 1.31.0",
    "singer-sdk 0.54.9",
    "got 14.6.6",
    "undici 7.30.2",
    "DuckDB of Turnleaf 1.5.5-r.5",
    "DuckDB of dlt 2.0.0",
    "pyarrow 26.0.1",
    "Node 20.20.2",
    "Python 3.11.7"
  ],
  "charts": [
    {
      "id": "read",
      "title": "Records per second",
      "subtitle": "1,000 pages, responses at once",
      "bars": [
        {
          "label": "bare undici loop",
          "value": 126455,
          "isOurs": false
        },
        {
          "label": "Turnleaf",
          "value": 114806,
          "isOurs": true
        },
        {
          "label": "got",
          "value": 36273,
          "isOurs": false
        },
        {
          "label": "dlt",
          "value": 24563,
          "isOurs": false
        },
        {
          "label": "airbyte-cdk",
          "value": 10735,
          "isOurs": false
        },
        {
          "label": "singer-sdk",
          "value": 9034,
          "isOurs": false
        }
      ]
    },
    {
      "id": "latency-100",
      "title": "Records per second",
      "subtitle": "200 pages, responses after 100 ms",
      "bars": [
        {
          "label": "Turnleaf",
          "value": 11950,
          "isOurs": true
        },
        {
          "label": "bare undici loop",
          "value": 979,
          "isOurs": false
        },
        {
          "label": "got",
          "value": 959,
          "isOurs": false
        },
        {
          "label": "dlt",
          "value": 940,
          "isOurs": false
        },
        {
          "label": "airbyte-cdk",
          "value": 917,
          "isOurs": false
        },
        {
          "label": "singer-sdk",
          "value": 904,
          "isOurs": false
        }
      ]
    }
  ],
  "table": {
    "columns": [
      "reader",
      "records/s, responses at once",
      "records/s, responses after 100 ms",
      "records/s into DuckDB",
      "ms from start to first record"
    ],
    "rows": [
      [
        "Turnleaf",
        "114,806",
        "11,950",
        "44,341",
        "295"
      ],
      [
        "bare undici loop",
        "126,455",
        "979",
        "–",
        "129"
      ],
      [
        "got",
        "36,273",
        "959",
        "–",
        "163"
      ],
      [
        "dlt",
        "24,563",
        "940",
        "3,679",
        "562"
      ],
      [
        "dlt, told to load Parquet files",
        "–",
        "–",
        "10,822",
        "–"
      ],
      [
        "singer-sdk",
        "9,034",
        "904",
        "–",
        "398"
      ],
      [
        "airbyte-cdk",
        "10,735",
        "917",
        "–",
        "1,565"
      ]
    ]
  }
}
