/** Written by `npm run bench:peers` from benchmarks/peers/results.json: never edit it by hand. */
import type { PeerFigures } from './peer-picture.ts'

export const peerFigures: PeerFigures = {
  "date": "2026-11-16",
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
          "value": 200140,
          "isOurs": false
        },
        {
          "label": "Turnleaf",
          "value": 61031,
          "isOurs": true
        },
        {
          "label": "got",
          "value": 37628,
          "isOurs": false
        },
        {
          "label": "dlt",
          "value": 29605,
          "isOurs": false
        },
        {
          "label": "airbyte-cdk",
          "value": 14526,
          "isOurs": false
        },
        {
          "label": "singer-sdk",
          "value": 11339,
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
          "value": 12263,
          "isOurs": true
        },
        {
          "label": "bare undici loop",
          "value": 979,
          "isOurs": false
        },
        {
          "label": "got",
          "value": 961,
          "isOurs": false
        },
        {
          "label": "dlt",
          "value": 941,
          "isOurs": false
        },
        {
          "label": "airbyte-cdk",
          "value": 920,
          "isOurs": false
        },
        {
          "label": "singer-sdk",
          "value": 900,
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
        "61,031",
        "12,263",
        "35,619",
        "374"
      ],
      [
        "bare undici loop",
        "200,140",
        "979",
        "–",
        "159"
      ],
      [
        "got",
        "37,628",
        "961",
        "–",
        "188"
      ],
      [
        "dlt",
        "29,605",
        "941",
        "3,090",
        "758"
      ],
      [
        "dlt, told to load Parquet files",
        "–",
        "–",
        "10,547",
        "–"
      ],
      [
        "singer-sdk",
        "11,339",
        "900",
        "–",
        "486"
      ],
      [
        "airbyte-cdk",
        "14,526",
        "920",
        "–",
        "2,139"
      ]
    ]
  }
}
